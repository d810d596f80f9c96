"""The MuJoCo model for rendering: dice, surface, props, light. Poses come from elsewhere; nothing moves by itself."""

from __future__ import annotations

from collections.abc import Sequence

import mujoco
import numpy as np
import numpy.typing as npt

from tests.kit.camera import Camera
from tests.kit.dice import Array, DieLook, Picture, mesh, texture
from tests.kit.props import Light, Prop

AWAY = (0.0, 0.0, -4000.0)  # mm: under the table, invisible


def _texture(spec: mujoco.MjSpec, name: str, picture: Picture) -> None:
    sheet = spec.add_texture(name=name, type=mujoco.mjtTexture.mjTEXTURE_2D)
    sheet.height, sheet.width = picture.shape[:2]
    sheet.nchannel = 3
    sheet.data = np.ascontiguousarray(picture).tobytes()


def _material(spec: mujoco.MjSpec, name: str, shine: float, picture: Picture | None = None) -> None:
    material = spec.add_material(name=name, specular=shine, shininess=0.15 + 0.6 * shine)
    if picture is not None:
        _texture(spec, name, picture)
        textures = [""] * int(mujoco.mjtTextureRole.mjNTEXROLE)
        textures[int(mujoco.mjtTextureRole.mjTEXROLE_RGB)] = name
        material.textures = textures


def _mesh(
    spec: mujoco.MjSpec, name: str, points: Array, normals: Array, across: Array, triangles: npt.NDArray[np.int64]
) -> None:
    shape = spec.add_mesh(name=name, inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL)
    shape.uservert = points.flatten().astype(np.float32)
    shape.usernormal = normals.flatten().astype(np.float32)
    shape.usertexcoord = across.flatten().astype(np.float32)
    shape.userface = triangles.flatten().astype(np.int32)


def _die(spec: mujoco.MjSpec, body: mujoco.MjsBody, name: str, look: DieLook) -> None:
    points, normals, across, triangles = mesh(look)
    _mesh(spec, name, points * look.size / 2, normals, across, triangles)
    _material(spec, name, look.shine, texture(look))
    if look.pattern == "clear":
        spec.material(name).emission = 0.25
    body.add_geom(name=name, type=mujoco.mjtGeom.mjGEOM_MESH, meshname=name, material=name, contype=0, conaffinity=0)


def _ground(spec: mujoco.MjSpec, picture: Picture, across_mm: float) -> None:
    half = 3000.0
    rolled = np.roll(
        picture, (picture.shape[0] // 2, picture.shape[1] // 2), (0, 1)
    )  # a plane's tiles meet in its middle
    _material(spec, "ground", 0.08, rolled)
    spec.material("ground").texrepeat = [2 * half / across_mm, 2 * half / across_mm]
    # a plane throws no shadow upon itself, so it shows no stripes at a slant; its quads of 150 mm carry the glare
    spec.worldbody.add_geom(
        name="ground",
        type=mujoco.mjtGeom.mjGEOM_PLANE,
        size=[half, half, 150],
        material="ground",
        contype=0,
        conaffinity=0,
    )


class Stage:
    """Renders dice on a surface. Build it once, then `place` dice and `draw` images of one size."""

    def __init__(
        self,
        looks: Sequence[DieLook],
        surface: Picture,
        width: int,
        height: int,
        *,
        across_mm: float = 500.0,
        props: Sequence[Prop] = (),
        extent: float = 200.0,
        shadow: int = 768,
    ) -> None:
        spec = mujoco.MjSpec()
        spec.stat.extent, spec.stat.center = extent, [0, 0, 0]
        spec.visual.map.znear, spec.visual.map.zfar, spec.visual.map.shadowclip = 0.05, 14, 1.6
        spec.visual.quality.shadowsize, spec.visual.quality.offsamples = shadow, 0
        glow = spec.visual.headlight
        glow.active, glow.diffuse, glow.specular = 1, [0, 0, 0], [0, 0, 0]
        getattr(spec.visual, "global").offwidth, getattr(spec.visual, "global").offheight = width, height
        for name in ("key", "fill"):
            spec.worldbody.add_light(
                name=name, type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL, castshadow=True, pos=[0, 0, 800]
            )
        spec.worldbody.add_camera(name="eye")
        _ground(spec, surface, across_mm)
        for number, look in enumerate(looks):
            _die(spec, spec.worldbody.add_body(name=f"die{number}", mocap=True, pos=AWAY), f"die{number}", look)
        groups: dict[int, mujoco.MjsBody] = {0: spec.worldbody}
        for number, prop in enumerate(props):
            if prop.group not in groups:
                groups[prop.group] = spec.worldbody.add_body(name=f"group{prop.group}", mocap=True, pos=AWAY)
            self._add_prop(spec, groups[prop.group], f"prop{number}", prop)
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        self.renderer = mujoco.Renderer(self.model, height, width)
        self.count = len(looks)
        self.light = Light()

    @staticmethod
    def _add_prop(spec: mujoco.MjSpec, body: mujoco.MjsBody, name: str, prop: Prop) -> None:
        if prop.look is not None:
            holder = body.add_body(pos=prop.position, quat=prop.quat) if prop.group == 0 else body
            _die(spec, holder, name, prop.look)
            return
        geom = body.add_geom(
            name=name,
            type=getattr(mujoco.mjtGeom, f"mjGEOM_{prop.kind.upper()}"),
            size=[*prop.size, 0, 0][:3],
            pos=prop.position,
            quat=prop.quat,
            contype=0,
            conaffinity=0,
        )
        _material(spec, name, prop.shine, prop.print)
        geom.material = name
        if prop.print is None:
            spec.material(name).rgba = prop.rgba

    def place(self, number: int, position: Sequence[float] | Array, rotation: Array) -> None:
        """Places die `number` at a position in mm with a (3, 3) rotation of its faces."""
        self._move(f"die{number}", position, rotation)

    def place_group(self, group: int, position: Sequence[float] | Array, rotation: Array) -> None:
        """Places a group of props."""
        self._move(f"group{group}", position, rotation)

    def hide(self, number: int) -> None:
        """Takes die `number` off the table."""
        self._move(f"die{number}", AWAY, np.eye(3))

    def _move(self, name: str, position: Sequence[float] | Array, rotation: Array) -> None:
        which = self.model.body(name).mocapid[0]
        self.data.mocap_pos[which] = position
        mujoco.mju_mat2Quat(self.data.mocap_quat[which], np.ascontiguousarray(rotation, float).flatten())

    def _aim(self, camera: Camera) -> None:
        eye = self.model.camera("eye").id
        self.model.cam_pos[eye] = camera.position
        mujoco.mju_mat2Quat(self.model.cam_quat[eye], camera.axes.T.flatten())
        self.model.cam_fovy[eye] = camera.fovy

    def draw(self, camera: Camera, rng: np.random.Generator, passes: int = 8) -> Picture:
        """The clean (h, w, 3) uint8 BGR image. More passes give softer shadows and smoother edges, and take longer.

        A single pass is for films: one hard shadow, from the centre of the lamp.
        """
        total = np.zeros((camera.height, camera.width, 3), np.float32)
        self._aim(camera)
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_camlight(self.model, self.data)
        self.renderer.update_scene(self.data, camera="eye")
        scene = self.renderer.scene
        pixel = 2 * np.tan(np.radians(camera.fovy) / 2) / camera.height
        forward, up = np.array(scene.camera[0].forward), np.array(scene.camera[0].up)
        right = np.cross(forward, up)
        for turn in range(passes):
            dx, dy = _spread(turn) - 0.5 if passes > 1 else (0.0, 0.0)
            for eye in scene.camera:
                eye.forward = forward + pixel * (dx * right + dy * up)
            if passes > 1:
                self._shine(scene, _spread(turn + 17, rng.uniform(size=2)), _spread(turn + 5, rng.uniform(size=2)))
            else:
                self._shine(scene, np.zeros(2), np.zeros(2), fill_shadow=False)
            total += self.renderer.render()
        return (np.clip(total / passes, 0, 255) + 0.5).astype(np.uint8)[..., ::-1].copy()

    def _shine(self, scene: mujoco.MjvScene, a: Array, b: Array, fill_shadow: bool = True) -> None:
        light = self.light
        towards = light.towards
        side = np.cross(towards, [0.0, 0.0, 1.0])
        side /= np.linalg.norm(side) + 1e-9
        radius, angle = np.sqrt(a[0]) * light.size, 2 * np.pi * a[1]
        key = towards + radius * (np.cos(angle) * side + np.sin(angle) * np.cross(side, towards))
        key[2] = max(key[2], 0.15)
        lift, turn = np.sqrt(1 - 0.8 * b[0]), 2 * np.pi * b[1]
        flat = np.sqrt(1 - lift**2)
        dome = np.array([flat * np.cos(turn), flat * np.sin(turn), lift])
        lamps = [lamp for lamp in scene.lights[: scene.nlight] if not lamp.headlight]
        for lamp, where, strength in zip(lamps, (key, dome), (light.key, light.fill), strict=True):
            lamp.castshadow = lamp is lamps[0] or fill_shadow
            where = where / np.linalg.norm(where)
            lamp.dir, lamp.pos = -where, where * 800
            # every lamp gives a level table the same light, so that strength means brightness
            lamp.diffuse = np.full(3, min(1.5, strength / max(where[2], 0.3)))
            lamp.specular = np.full(3, 0.6 * strength)
        for lamp in scene.lights[: scene.nlight]:
            if lamp.headlight:
                lamp.ambient = np.full(3, light.ambient)

    def seen(self, camera: Camera) -> npt.NDArray[np.int32]:
        """(h, w) number of the foremost die at each pixel, -1 where there is none."""
        self._aim(camera)
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_camlight(self.model, self.data)
        self.renderer.update_scene(self.data, camera="eye")
        self.renderer.enable_segmentation_rendering()
        labels = self.renderer.render()[..., 0]
        self.renderer.disable_segmentation_rendering()
        numbers = np.full(self.model.ngeom + 1, -1, np.int32)
        for number in range(self.count):
            numbers[self.model.geom(f"die{number}").id] = number
        return numbers[labels]

    def close(self) -> None:
        """Releases the rendering context."""
        self.renderer.close()


def _spread(turn: int, shift: Array | tuple[float, float] = (0.0, 0.0)) -> Array:
    """Point number `turn` of a low-discrepancy sequence in the unit square (R2), shifted cyclically."""
    return np.modf(0.5 + np.array([0.7548776662466927, 0.5698402909980532]) * (turn + 1) + np.asarray(shift))[0]
