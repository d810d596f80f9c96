"""Translation: message catalogues, and the engine's values in the visitor's language."""
