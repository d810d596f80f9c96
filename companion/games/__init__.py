"""The games: one package each, with its view models, advice and card hooks for the companion."""
