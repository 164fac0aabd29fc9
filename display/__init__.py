"""The screen: views in, pictures and sound out. Knows nothing of games or money."""
