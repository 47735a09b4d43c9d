"""MariaDB's servers: their programs, settings, data directories and lifetime.

In C++, the drivers' client.
"""
