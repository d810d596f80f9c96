"""Beginning a game, or going on with one."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.evening import begin_game
from companion.pairing import Role
from companion.room import room
from companion.security import open_to
from companion.words import refusal
from engine.errors import CourtsideError

blueprint = Blueprint("newgame", __name__)


@blueprint.get("/new")
@open_to(Role.HOST)
def page() -> str:
    """The form."""
    return render_template("newgame.html", filled=request.args, notice="")


@blueprint.post("/new")
def begin() -> Response | tuple[str, int]:
    """Begin with the names as they sit."""
    names = [name for name in (field.strip() for field in request.form.getlist("player")) if name]
    try:
        begin_game(room(), request.form.get("game", "krone"), names, request.form.get("ruleset") or None)
    except CourtsideError as error:
        return render_template("newgame.html", filled=request.form, notice=refusal(error)), 400
    return redirect(url_for("table.page"), 303)
