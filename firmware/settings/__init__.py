"""The settings of one machine: a table of rows (`sections`), a TOML file, and a `loader` that reports every mistake at once."""
