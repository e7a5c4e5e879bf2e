"""Long work of the studio, such as builds and exports: each in a process of its own, which can be cancelled."""
