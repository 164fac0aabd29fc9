"""The terminal: pure decisions. A stimulus and the state give entries to record, effects to perform, and a new screen."""
