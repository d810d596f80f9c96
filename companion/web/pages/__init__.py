"""One small blueprint a page: read, validate, act, answer."""
