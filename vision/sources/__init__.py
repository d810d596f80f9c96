"""Where pictures come from: cameras, files, network streams, a phone."""
