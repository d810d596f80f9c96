"""Browsers of visitors, without a server."""

from __future__ import annotations

from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient

from companion.web.pairing import Pairing

TOKEN = "known"


def paired(app: Flask, folder: Path, *invitations: str) -> FlaskClient:
    """A browser that has opened the links of these invitations."""
    client = app.test_client()
    for invitation in invitations:
        assert client.get(f"/pair/{invitation}/{Pairing(folder).word(invitation)}").status_code == 303
    return client


def with_token(client: FlaskClient) -> FlaskClient:
    """The same browser; the token of its forms is `TOKEN`."""
    with client.session_transaction() as session:
        session["csrf"] = TOKEN
    return client
