"""How a computation ends that was given a deadline."""


class Expired(Exception):
    """The deadline came before the answer."""
