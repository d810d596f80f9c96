"""Index of card faces for recognition: features at several sizes, without those that several kinds share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.cards.features import features, likeness
from vision.cards.types import Features
from vision.types import Image

# Height (pixels), enlargement, maximum number of features. SIFT finds different features in small cards, so each face
# is indexed at several heights, enlarged like small cards in an image.
SIZES = ((320, 1.0, 400), (120, 2.0, 250), (60, 4.0, 200))
SHARED = 0.92  # cosine from which features of two kinds are the same print (frame, text box)
TWINS, SAME_PICTURE = 0.85, 0.97  # cosine of thumbnails: possibly, and certainly too similar
MARGIN = 0.08  # of the height: border replicated around the face, so that its edge yields no features


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """One reference image of a card.

    Attributes:
        kind: Name of the card.
        image: (H, W, 3) BGR, the card alone, upright.
    """

    kind: str
    image: Image

    @property
    def aspect(self) -> float:
        """Width divided by height."""
        return float(self.image.shape[1] / self.image.shape[0])


class Index:
    """The features of all faces in one table; positions and scales in card heights from the top left corner.

    Features are computed on first use, because comparing outlines with faces needs none.
    """

    def __init__(self, faces: Sequence[Face]) -> None:
        self.kinds = tuple(dict.fromkeys(face.kind for face in faces))
        self.faces = tuple(sorted(faces, key=lambda face: self.kinds.index(face.kind)))  # grouped by kind
        self.kind_of_face = np.array([self.kinds.index(face.kind) for face in self.faces], np.intp)

    @cached_property
    def _all(self) -> tuple[Features, npt.NDArray[np.intp], npt.NDArray[np.bool_]]:
        """All features, (n,) the face each belongs to, and (n,) whether no other kind has it."""
        each = [face_features(face) for face in self.faces]
        owners = [np.full(len(part.points), number, np.intp) for number, part in enumerate(each)]
        owner = np.concatenate([np.zeros(0, np.intp), *owners])
        table = Features(*(np.concatenate(parts) for parts in zip(*each, strict=True))) if each else features(_EMPTY)
        kind = self.kind_of_face[owner] if len(owner) else owner
        own = np.ones(len(kind), np.bool_)
        for number in range(len(self.kinds)):
            mine = kind == number
            own[mine] = likeness(table.descriptors[mine], table.descriptors[~mine]) < SHARED
        return table, owner, own

    @cached_property
    def table(self) -> Features:
        """The features that only one kind has."""
        return self._all[0].chosen(self._all[2])

    @cached_property
    def owner(self) -> npt.NDArray[np.intp]:
        """(n,) number of the face of each feature in `table`."""
        return self._all[1][self._all[2]]

    @cached_property
    def share_own(self) -> npt.NDArray[np.floating[Any]]:
        """(faces,) share of a face's features that no other kind has."""
        _, owner, own = self._all
        return np.array([own[owner == n].mean() if (owner == n).any() else 0.0 for n in range(len(self.faces))])

    def alike(self, least: float) -> list[tuple[str, str]]:
        """Pairs of kinds that are too similar to be recognised reliably.

        Args:
            least: Minimum share of a face's features that no other kind has. Kinds with less are listed if their
                thumbnails are similar; kinds with nearly equal thumbnails are always listed.
        """
        if len(self.kinds) < 2:
            return []
        small = [
            cv2.resize(face.image, (24, 36), interpolation=cv2.INTER_AREA).astype(np.float32) for face in self.faces
        ]
        flat = np.array([(one - one.mean(axis=(0, 1))).ravel() for one in small]).reshape(len(small), -1)
        flat /= np.maximum(1e-6, np.linalg.norm(flat, axis=1, keepdims=True))
        cosine = flat @ flat.T
        pairs = set()
        for a, b in zip(*np.nonzero(cosine > TWINS), strict=True):
            one, two = self.faces[a].kind, self.faces[b].kind
            if one != two and (cosine[a, b] > SAME_PICTURE or min(self.share_own[a], self.share_own[b]) < least):
                pairs.add((min(one, two), max(one, two)))
        return sorted(pairs)

    @cached_property
    def kind_of_feature(self) -> npt.NDArray[np.intp]:
        """(n,) number of the kind of each feature in `table`."""
        return np.asarray(self.kind_of_face[self.owner], np.intp) if len(self.owner) else self.owner


_EMPTY = np.zeros((16, 16), np.uint8)


@lru_cache(maxsize=512)
def face_features(face: Face) -> Features:
    """The features of a face at all SIZES; positions and scales in card heights."""
    found = []
    for height, enlarge, most in SIZES:
        scale = height / face.image.shape[0]
        small = cv2.resize(
            face.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        )
        edge = round(MARGIN * height)
        padded = cv2.copyMakeBorder(small, edge, edge, edge, edge, cv2.BORDER_REPLICATE)
        part = features(np.asarray(padded, np.uint8), enlarge, most)
        tall = np.float32(small.shape[0])
        places = (part.points - np.float32(edge) + np.float32(0.5)) / tall
        inside = (places >= 0).all(axis=1) & (places[:, 0] < face.aspect) & (places[:, 1] < 1)
        found.append(part._replace(points=places, scales=part.scales / tall).chosen(inside))
    return Features(*(np.concatenate(parts) for parts in zip(*found, strict=True)))
