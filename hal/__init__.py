"""The hardware: contracts, wire protocols, drivers, simulated devices, emulators. Knows nothing of games or credit."""
