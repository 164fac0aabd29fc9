"""The terminal's sounds, synthesised by the project itself. Free of pygame."""
