"""Where pictures come from: files, cameras, streams."""
