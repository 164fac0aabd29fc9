"""Wire protocols, sans-I/O: frames, checksums, and the host's side of each dialogue with its timers."""
