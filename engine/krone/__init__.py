"""Um Krone und Kragen (Tom Lehmann, Amigo 2006), played and checked. See `game` for how it plugs into records."""
