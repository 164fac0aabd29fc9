"""The power-loss simulator: every write of the unchanged program recorded, every crash state tried on it."""
