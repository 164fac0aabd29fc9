"""The operator's menu: which pages there are, and what stands on each. Pure; drawn and decided elsewhere."""
