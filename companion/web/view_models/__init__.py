"""View models: what pages show of a game as plain data, without language and HTML."""
