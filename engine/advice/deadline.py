"""The exception of computations with a deadline."""


class Expired(Exception):
    """The deadline came before the answer."""
