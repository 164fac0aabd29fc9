"""Ed25519 signatures: of the terminal over its reports, of the maker over programs and updates."""
