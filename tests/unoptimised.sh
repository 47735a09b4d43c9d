#!/bin/sh
# Runs a compiler whose last word on optimisation is that there is none.
exec "$@" -O0
