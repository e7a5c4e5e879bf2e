"""Independent tasks on the machines of a Dask cluster, behind the interface of the process pool.

A process of its own, the gateway, talks to Dask. So this process has no threads, can go on forking, and is the only one
that Ctrl-C reaches.
"""
