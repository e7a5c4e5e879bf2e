"""Who may reach the studio's server, and what its pages may do in the browser."""
