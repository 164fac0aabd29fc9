"""The books: what the recorded entries mean in money. Pure folds; balances, meters, the self-audit identity."""
