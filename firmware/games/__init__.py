"""The card games: pure rules over a common contract. No shoe, no clock, no randomness, no ledger."""
