"""The games: one package each, which plugs its view models, advice and card hooks into the companion."""
