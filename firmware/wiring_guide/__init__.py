"""The wiring guide: tables, drawings, parts and causes of faults, made from a cabinet's settings and the fault table."""
