"""The web server: start, connections, event streams and limits."""
