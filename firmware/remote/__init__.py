"""Reading a terminal's store from beside it: reports on the command line, and pages in a browser. Never writes."""
