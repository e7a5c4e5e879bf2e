"""The public Python API, which `cardgen` exports: load, check, render, build, odds."""
