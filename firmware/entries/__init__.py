"""The journal's entries: what happened, as plain amounts and ids. Never game code, never devices."""
