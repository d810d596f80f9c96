"""Sources of frames: files, cameras, streams."""
