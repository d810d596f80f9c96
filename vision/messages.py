"""The sentences in which the vision side says that it is unsure, and what it needs."""

from __future__ import annotations


class Doubt(str):
    """One sentence about what is seen. template: the same without its values, by which translations are found."""

    template: str
    values: dict[str, str | int]

    def __new__(cls, template: str, **values: str | int) -> Doubt:
        """The template with its values filled in."""
        doubt = super().__new__(cls, template.format(**values) if values else template)
        doubt.template, doubt.values = template, values
        return doubt


def as_doubt(said: str) -> Doubt:
    """The sentence as it is if it can be translated, else as a template without values."""
    return said if isinstance(said, Doubt) else Doubt(said)


KEPT_CHANGED = "A die set aside seems to have changed from {before} to {after}. Did somebody turn it?"
FEWER = "I see {seen} dice, {before} before the throw: is one hidden or touching another?"
ONE_LEFT = "I see one die, {before} before the throw: is one hidden or touching another?"
VANISHED = "A die is no longer to be seen where it lay: is it hidden or touching another?"
HAND = "A hand rests in the picture; dice under it are not seen."
LEANING = "One die shows no clear top face: is it leaning on something?"
SMALL = "The dice are only {pixels} px wide: move the camera closer."
BLURRED = "The picture is blurred: focus the camera or give it more light."
OUTSIDE = "A die lies outside the marked areas; it is not counted."
BLACK = "The picture is black: is the lens covered?"
BRIGHT = "The picture is overexposed: less light or a shorter exposure, please."
TURNED = "The camera was turned: please check that the dice shown are right."
FROZEN = "The picture is frozen: the camera sends the same one again and again."
TAKES_LONG = "Reading a picture takes unusually long; please wait."
RESTARTED = "Reading the pictures stopped and has begun again: please check that no throw is missing."
ON_ITS_HEAD = "Dice farther down in the picture look smaller: does it stand on its head? “Camera” turns it round."
NOT_OPENED = "Camera {number} cannot be opened; is it plugged in and not used by another program?"
NOTHING_SENT = "Camera {number} sends no picture; is it still plugged in?"
NOT_PLUGGED_IN = "Camera “{name}” is not plugged in."
NO_SUCH_SOURCE = "There is no file, folder or camera called “{name}”; `courtside cameras` lists the cameras."
NO_MORE_PICTURES = "No picture comes any more; is the camera still connected?"
OPENED_AGAIN = "The camera failed; it is opened again."
PHONE_SILENT = "The phone sends no picture; open the camera page on it and keep the screen on."
BLIND = (BLACK, BRIGHT)  # such pictures show nothing: they are no evidence that the dice are gone
