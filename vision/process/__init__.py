"""Watches a camera or file in a subprocess, so that no damaged frame can crash the program."""
