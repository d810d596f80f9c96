"""The web application: pages, view models, who may do what."""
