"""A Blender scene of a table with dice: materials, lights, and rendering with Cycles."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import bpy
import cv2
import numpy as np

from tests.kit.camera import Camera
from tests.kit.dice import Array, Picture
from tests.kit.traced.skin import Skin, sheets, solid

UNIT = 0.1  # Blender units per millimetre: a die is a little more than one wide
HALF = 300.0  # half the side of the table, Blender units


class Studio:
    """One scene: add dice, a table and light, then render with `take`. A new instance discards the previous scene."""

    def __init__(self, samples: int) -> None:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self._scene = bpy.context.scene
        scene = self._scene
        scene.render.engine = "CYCLES"
        scene.cycles.device, scene.cycles.samples = "CPU", samples
        scene.cycles.use_denoising, scene.cycles.denoiser = True, "OPENIMAGEDENOISE"
        scene.cycles.denoising_quality = scene.cycles.denoising_prefilter = "FAST"
        scene.render.threads_mode, scene.render.threads = (
            "FIXED",
            1,
        )  # several processes are faster than one with threads
        scene.cycles.max_bounces, scene.cycles.transparent_max_bounces = 8, 4
        scene.cycles.caustics_reflective = scene.cycles.caustics_refractive = False
        scene.cycles.blur_glossy = 1.0
        scene.render.image_settings.file_format, scene.render.image_settings.color_depth = "OPEN_EXR", "32"
        scene.world = bpy.data.worlds.new("world")
        self._dice: list[Any] = []

    def add_die(self, skin: Skin, position: Array, rotation: Array) -> None:
        """Adds a die; position: (3,) centre in mm; rotation: (3, 3)."""
        points, across, triangles = solid(skin)
        name = f"die{len(self._dice)}"
        shape = bpy.data.meshes.new(name)
        shape.vertices.add(len(points))
        shape.vertices.foreach_set("co", (points * skin.look.size / 2 * UNIT).astype(np.float32).ravel())
        shape.loops.add(triangles.size)
        shape.loops.foreach_set("vertex_index", triangles.astype(np.int32).ravel())
        shape.polygons.add(len(triangles))
        shape.polygons.foreach_set("loop_start", np.arange(0, triangles.size, 3, dtype=np.int32))
        shape.update(calc_edges=True)
        layer = shape.uv_layers.new(name="uv")
        layer.data.foreach_set("uv", across[triangles.ravel()].astype(np.float32).ravel())
        shape.polygons.foreach_set("use_smooth", np.ones(len(triangles), bool))
        shape.materials.append(_material(name, skin))
        thing = bpy.data.objects.new(name, shape)
        thing.matrix_world = _pose(rotation, position)
        self._scene.collection.objects.link(thing)
        self._dice.append(thing)

    def remove_die(self, number: int) -> None:
        """Removes the die from the scene; the other dice keep their numbers."""
        self._scene.collection.objects.unlink(self._dice[number])

    def seen(self, number: int, points: Array, camera: Camera) -> float:
        """Share of the points (n, 3), mm, on a die that are visible to the camera."""
        bpy.context.view_layer.update()
        view, eye = bpy.context.evaluated_depsgraph_get(), camera.position
        hits = 0
        for point in points:
            away = (point - eye) / np.linalg.norm(point - eye)
            found, _, _, _, thing, _ = self._scene.ray_cast(view, tuple(eye * UNIT), tuple(away))
            hits += bool(found and thing.name == self._dice[number].name)
        return hits / len(points)

    def set_table(self, surface: Picture, across_mm: float, roughness: float, relief: float) -> None:
        """Adds the table.

        Args:
            surface: (h, w, 3) RGB texture.
            across_mm: Size of one repetition of the texture, mm.
            roughness: 0..1.
            relief: Strength of the bump map, 0..1.
        """
        shape = bpy.data.meshes.new("table")
        shape.from_pydata([(-HALF, -HALF, 0), (HALF, -HALF, 0), (HALF, HALF, 0), (-HALF, HALF, 0)], [], [(0, 1, 2, 3)])
        layer = shape.uv_layers.new(name="uv")
        turns = HALF / UNIT / across_mm
        layer.data.foreach_set("uv", np.array([-1, -1, 1, -1, 1, 1, -1, 1], np.float32) * turns)
        material = bpy.data.materials.new("table")
        tree, shader = _shader(material)
        colours = _node(tree, "TexImage", {}, image=_image("table", surface, "sRGB")).outputs["Color"]
        bump = _node(tree, "Bump", {"Strength": relief, "Distance": 0.05, "Height": colours})
        _feed(tree, shader, {"Base Color": colours, "Roughness": roughness, "Normal": bump.outputs["Normal"]})
        shape.materials.append(material)
        self._scene.collection.objects.link(bpy.data.objects.new("table", shape))

    def set_light(self, around: Array) -> None:
        """Sets the environment map: (h, w, 3) float radiance, zenith in the first row."""
        tree = self._scene.world.node_tree
        tree.nodes.clear()
        room = _node(tree, "TexEnvironment", {}, image=_image("room", around, "Linear Rec.709"))
        back = _node(tree, "Background", {"Color": room.outputs["Color"]})
        _node(tree, "OutputWorld", {"Surface": back.outputs["Background"]})

    def take(self, camera: Camera, sharp_at: float | None, wide: float) -> Array:
        """Renders the scene.

        Args:
            camera: The camera.
            sharp_at: Focus distance in mm, None for unlimited depth of field.
            wide: F-number of the aperture.

        Returns:
            (h, w, 3) linear BGR radiance.
        """
        lens = bpy.data.cameras.new("camera")
        lens.sensor_fit, lens.angle_y = "VERTICAL", float(np.radians(camera.fovy))
        lens.clip_start, lens.clip_end = 0.1, 2000
        if sharp_at is not None:
            lens.dof.use_dof, lens.dof.focus_distance, lens.dof.aperture_fstop = True, sharp_at * UNIT, wide
        eye = bpy.data.objects.new("camera", lens)
        eye.matrix_world = _pose(camera.axes.T, camera.position)
        scene = self._scene
        scene.collection.objects.link(eye)
        scene.camera = eye
        scene.render.resolution_x, scene.render.resolution_y = camera.width, camera.height
        with tempfile.TemporaryDirectory() as folder:
            scene.render.filepath = str(Path(folder) / "picture.exr")
            bpy.ops.render.render(write_still=True)
            made = bpy.data.images.load(scene.render.filepath)
            flat = np.empty(camera.width * camera.height * 4, np.float32)
            made.pixels.foreach_get(flat)
        bpy.data.images.remove(made)
        scene.collection.objects.unlink(eye)
        return flat.reshape(camera.height, camera.width, 4)[::-1, :, 2::-1].astype(float)


def _pose(rotation: Array, position: Array) -> list[list[float]]:
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = rotation, position * UNIT
    return matrix.T.tolist()


def _image(name: str, picture: Array | Picture, space: str) -> Any:
    """A Blender image from (h, w) or (h, w, 3) pixels, uint8 or linear floats; space: its colour space."""
    levels: Array = picture.astype(np.float32) / (255 if picture.dtype == np.uint8 else 1)
    if levels.ndim == 2:
        levels = cv2.merge([levels] * 3)
    height, width = levels.shape[:2]
    image = bpy.data.images.new(name, width, height, float_buffer=picture.dtype != np.uint8)
    image.colorspace_settings.name = space
    image.pixels.foreach_set(np.dstack([levels, np.ones((height, width), np.float32)])[::-1].ravel())
    image.pack()
    return image


def _shader(material: Any) -> tuple[Any, Any]:
    """The node tree of a new material and its only shader."""
    material.use_nodes = True
    return material.node_tree, material.node_tree.nodes["Principled BSDF"]


def _node(tree: Any, kind: str, inputs: Mapping[str | int, Any], **settings: Any) -> Any:
    """A new node; inputs: by name or number, a constant or the socket to connect."""
    node = tree.nodes.new(f"ShaderNode{kind}")
    for field, value in settings.items():
        setattr(node, field, value)
    _feed(tree, node, inputs)
    return node


def _feed(tree: Any, node: Any, inputs: Mapping[str | int, Any]) -> None:
    for field, value in inputs.items():
        if isinstance(value, bpy.types.NodeSocket):
            tree.links.new(value, node.inputs[field])
        else:
            node.inputs[field].default_value = value


def _material(name: str, skin: Skin) -> Any:
    """The material of a die."""
    rng = np.random.default_rng([0x57F, skin.seed])
    material = bpy.data.materials.new(name)
    tree, shader = _shader(material)
    # Blender counts texture rows from below.
    pictures = zip(("colours", "pips"), sheets(skin), ("sRGB", "Non-Color"), strict=True)
    colours, pips = (
        _node(tree, "TexImage", {}, image=_image(f"{name} {kind}", picture[::-1], space)).outputs["Color"]
        for kind, picture, space in pictures
    )
    made: dict[str | int, Any] = {"Base Color": colours, "Roughness": skin.roughness, "IOR": 1.49}
    body: tuple[str, float] | None = None  # material property of the body that pips do not have
    if skin.finish == "waxy":
        made |= {"Subsurface Weight": float(rng.uniform(0.3, 1)), "Subsurface Scale": float(rng.uniform(0.05, 0.3))}
        made |= {"Subsurface Radius": (1.0, 0.6, 0.4)}
    elif skin.finish == "pearl":
        made |= {"Metallic": float(rng.uniform(0.3, 0.7)), "Coat Weight": 1.0}
    elif skin.finish == "metal":
        body = "Metallic", 1.0
    elif skin.finish == "wood":
        made |= {"Roughness": float(rng.uniform(0.4, 0.8))}
    elif skin.finish in ("clear", "frosted"):
        body = "Transmission Weight", float(rng.uniform(0.6, 1))
        made |= {"Roughness": float(rng.uniform(0.25, 0.5)) if skin.finish == "frosted" else skin.roughness * 0.3}
    elif skin.finish == "glitter":
        made |= {"Coat Weight": 1.0, "Coat Roughness": float(rng.uniform(0.03, 0.2))}
        made |= _flakes(tree, colours, pips, rng)
    if body:
        share: dict[str | int, Any] = {0: pips, 1: -body[1], 2: body[1]}  # body × (1 - pips)
        made |= {body[0]: _node(tree, "Math", share, operation="MULTIPLY_ADD").outputs["Value"]}
    _feed(tree, shader, made)
    return material


def _flakes(tree: Any, colours: Any, pips: Any, rng: np.random.Generator) -> dict[str | int, Any]:
    """Glitter: small, randomly oriented mirrors in the body, not in the pips."""

    def math(kind: str, first: Any, second: Any, **settings: Any) -> Any:
        return _node(tree, "Math", {0: first, 1: second}, operation=kind, **settings).outputs["Value"]

    def vector(kind: str, inputs: dict[str | int, Any]) -> Any:
        return _node(tree, "VectorMath", inputs, operation=kind).outputs["Vector"]

    place = _node(tree, "TexCoord", {}).outputs["Object"]
    cells = _node(tree, "TexVoronoi", {"Scale": float(rng.uniform(8, 45)), "Vector": place}).outputs["Color"]
    lot = _node(tree, "SeparateColor", {"Color": cells}).outputs["Red"]
    chosen = math("LESS_THAN", lot, float(rng.uniform(0.15, 0.7)))
    mirror = math("SUBTRACT", chosen, pips, use_clamp=True)
    silver = (*(float(level) for level in rng.uniform(0.2, 1, 3)), 1.0)
    weight = math("MULTIPLY", mirror, float(rng.uniform(0.2, 0.9)))
    dyed = _node(tree, "Mix", {"Factor": weight, "A": colours, "B": silver}, data_type="RGBA").outputs["Result"]
    tilt = vector("SUBTRACT", {0: cells, 1: (0.5, 0.5, 0.5)})
    tilt = vector("SCALE", {0: tilt, "Scale": math("MULTIPLY", mirror, float(rng.uniform(0.5, 1.6)))})
    upright = _node(tree, "NewGeometry", {}).outputs["Normal"]
    return {
        "Base Color": dyed,
        "Metallic": mirror,
        "Normal": vector("NORMALIZE", {0: vector("ADD", {0: upright, 1: tilt})}),
    }
