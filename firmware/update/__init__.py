"""Updates: signed bundles, their installation beside the running version, and the way back."""
