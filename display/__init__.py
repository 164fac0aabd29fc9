"""The screen: view in, draw list out, one canvas that paints it. Knows nothing of games, money rules or devices."""
