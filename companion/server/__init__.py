"""The web server: HTTP, the bridge to Flask, event streams."""
