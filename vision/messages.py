"""The sentences in which the camera side reports uncertainty and asks for help."""

from __future__ import annotations


class Doubt(str):
    """One sentence.

    Attributes:
        template: The sentence without its values, the key for its translation.
    """

    template: str
    values: dict[str, str | int]

    def __new__(cls, template: str, **values: str | int) -> Doubt:
        """Fills the values into the template."""
        doubt = super().__new__(cls, template.format(**values) if values else template)
        doubt.template, doubt.values = template, values
        return doubt


def as_doubt(said: str) -> Doubt:
    """The sentence itself if it can be translated, else as a template without values."""
    return said if isinstance(said, Doubt) else Doubt(said)


KEPT_CHANGED = "A die that was set aside seems to have changed from {before} to {after}. Did a player turn it?"
FEWER = "I see {seen} dice, but there were {before} before the roll. Is one hidden or touching another?"
ONE_LEFT = "I see one die, but there were {before} before the roll. Is one hidden or touching another?"
VANISHED = "A die is no longer visible. Is it hidden or touching another?"
HAND = "A hand is in the picture. The dice under it cannot be seen."
LEANING = "One die shows no clear top face. Is it leaning on something?"
SMALL = "The dice are only {pixels} pixels wide. Move the camera closer."
OUTSIDE = "A die is outside the marked areas and is not counted."
BLACK = "The picture is black. Is the lens covered?"
BRIGHT = "The picture is overexposed. Reduce the light or the exposure time."
TURNED = "The camera was turned. Check that the dice shown are right."
FROZEN = "The picture is frozen. The camera keeps sending the same one."
TAKES_LONG = "Reading the picture is taking unusually long. Please wait."
RESTARTED = "Reading the pictures stopped and was restarted. Check that no roll is missing."
UPSIDE_DOWN = (
    "Dice lower in the picture look smaller. Is the picture upside down? You can rotate it on the Camera page."
)
NOT_OPENED = "Camera {number} cannot be opened. Is it plugged in and not used by another program?"
NOTHING_SENT = "Camera {number} sends no picture. Is it still plugged in?"
NOT_PLUGGED_IN = "Camera “{name}” is not plugged in."
NO_SUCH_SOURCE = "There is no file, folder or camera called “{name}”. Run `courtside cameras` to list the cameras."
NO_MORE_PICTURES = "The camera stopped sending pictures. Is it still connected?"
OPENED_AGAIN = "The camera failed and is being reopened."
NOT_DECODED = "{name} is a video coded as {codec}, which this computer cannot decode; convert it to H.264."
HEIC_PHOTO = "{name} is a HEIC photo: install the package pillow-heif, or convert it to JPEG."
PHONE_SILENT = "The phone sends no picture. Open the camera page on it and keep the screen on."
CUT_DIE = "A die is partly outside the picture."
CARDS_LEFT_OUT = "Some pictures of these cards could not be read and were left out: {cards}. Please teach these again."
CARDS_RESTORED = "The file of these cards is damaged. The version before its last change is used."
BLIND = (BLACK, BRIGHT)  # frames with these doubts show nothing, so they are no evidence that dice are gone
