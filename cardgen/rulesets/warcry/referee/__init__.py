"""The procedures of Warcry, each written once and read three ways: rolled, worked out, and asked."""
