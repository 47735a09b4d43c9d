"""MariaDB's servers: their programs, settings, data directories and lifetime."""
