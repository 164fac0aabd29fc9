"""The benchmarks: numbers for people, never tests. Each section is a function that returns plain numbers."""
