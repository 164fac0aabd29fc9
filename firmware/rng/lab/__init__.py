"""The laboratory: statistical tests of shuffles, planted faults that they must find, and the report. Offline only."""
