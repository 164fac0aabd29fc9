"""Exact odds, computed offline from the rules that play: PAR sheets, best play, and the value of every action."""
