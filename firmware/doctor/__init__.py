"""The doctor: looks at a machine as its settings describe it, and says of each finding what to do."""
