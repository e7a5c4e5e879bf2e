"""Services of the operating system for all stages: files, processes, time, memory. Knows no cards."""
