"""The audit: what the journal says to people who check it. Meters, events, rounds, proofs, and the RAM clear."""
