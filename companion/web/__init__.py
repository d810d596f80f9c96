"""The web application: pages, view models, access control."""
