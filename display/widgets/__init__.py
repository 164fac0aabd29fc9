"""Parts that scenes are made of. Each adds items to a pen; none knows a game's rules."""
