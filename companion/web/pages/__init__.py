"""One small blueprint for each page: read the request, validate, act, respond."""
