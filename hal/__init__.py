"""The hardware: contracts of devices, their drivers, simulators and emulators. Knows nothing of games or money."""
