"""The simulator: the same terminal on simulated hardware, driven by a window, a script, or tests."""
