"""Meshes of MJCF files against MuJoCo: masses by every word of `inertia`, and primitives that are fitted to them.

Tolerances: mass, centre and principal inertias agree to 1e-11, some thousand times the round-off of sums over a hundred triangles of the same 32-bit
coordinates. MuJoCo finds principal *axes* by an iteration that it ends at some 1e-8, so that whole tensors and what is fitted along those axes agree
to 1e-7 only; the tensors of carom are therefore also compared with the sums themselves, in numpy, to 1e-12.
"""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from compared import agree
from robots import text

import carom

ROUND_OFF = 1e-12
VALUES = 1e-11
AXES = 1e-7
SEEDS = range(12)
WORDS = ["legacy", "exact", "convex", "shell", None]
FITS = ["sphere", "capsule", "cylinder", "ellipsoid", "box"]

pytestmark = pytest.mark.filterwarnings("ignore::carom.CaromWarning")

Array = np.ndarray


def lump(random: np.random.Generator) -> tuple[Array, Array]:
    """A closed surface with dents: a ball with a radius that varies."""
    rings, around = 6, 9
    points = [[0.0, 0.0, 1.0]]
    for ring in range(1, rings):
        angle = np.pi * ring / rings
        for k in range(around):
            turn = 2 * np.pi * (k + 0.5 * (ring % 2)) / around
            points.append([np.sin(angle) * np.cos(turn), np.sin(angle) * np.sin(turn), np.cos(angle)])
    points.append([0.0, 0.0, -1.0])
    faces = []
    for k in range(around):
        following = (k + 1) % around
        faces.append([0, 1 + k, 1 + following])
        for ring in range(rings - 2):
            above, below = 1 + ring * around, 1 + (ring + 1) * around
            faces.append([above + k, below + k, below + following])
            faces.append([above + k, below + following, above + following])
        last = 1 + (rings - 2) * around
        faces.append([last + k, len(points) - 1, last + following])
    radius = random.uniform(0.5, 2, size=len(points))
    stretch = random.uniform(0.5, 2, size=3)
    return np.array(points) * radius[:, None] * stretch + random.normal(size=3) * 0.2, np.array(faces)


def write_stl(path: Path, points: Array, faces: Array) -> None:
    data = bytearray(b" " * 80 + struct.pack("<I", len(faces)))
    for face in faces:
        data += b"\0" * 12 + points[face].astype("<f4").tobytes() + b"\0\0"
    path.write_bytes(bytes(data))


def write_obj(path: Path, points: Array, faces: Array) -> None:
    lines = [f"v {text(p)}" for p in points] + ["o first"] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
    # What stands in a second object is not counted.
    lines += ["o second", "f 1 2 3"]
    path.write_text("\n".join(lines) + "\n")


def asset(random: np.random.Generator, word: str | None, file: str) -> str:
    """A mesh that is turned, moved and stretched, now and then mirrored."""
    scale = random.uniform(0.5, 2, size=3) * random.choice([-1, 1], size=3)
    turn = f'refpos="{text(random.normal(size=3) * 0.2)}" refquat="{text(random.normal(size=4))}"' if random.random() < 0.7 else ""
    inertia = f'inertia="{word}"' if word else ""
    return f'<mesh name="{word}_{file[-3:]}" file="far/away/{file}" scale="{text(scale)}" {turn} {inertia}/>'


def place(random: np.random.Generator) -> str:
    return f'pos="{text(random.normal(size=3) * 0.3)}" quat="{text(random.normal(size=4))}"'


def of_carom(path: Path) -> tuple[float, Array, Array]:
    """Mass, centre and inertia about the origin of the one free body of a file, from its M."""
    M = np.asarray(carom.Machine.open(path).mass_matrix(np.array([0, 0, 0, 1, 0, 0, 0.0])))
    skew = M[3:, :3] / M[0, 0]
    return M[0, 0], np.array([skew[2, 1], skew[0, 2], skew[1, 0]]), M[3:, 3:]


def about_origin(mass: float, center: Array, inertia: Array) -> Array:
    return inertia + mass * (center @ center * np.eye(3) - np.outer(center, center))


def compared(xml: str, folder: Path, values: float) -> tuple[float, Array, Array]:
    """Compares the free body of a file with that of MuJoCo."""
    import mujoco

    path = folder / "robot.xml"
    path.write_text(xml)
    model = mujoco.MjModel.from_xml_path(str(path))
    mass, center, inertia = of_carom(path)
    agree([mass], [model.body_mass[1]], "mass", values)
    agree(center, model.body_ipos[1], "centre", values, 0.1)
    about_center = inertia - about_origin(mass, center, np.zeros((3, 3)))
    agree(np.sort(np.linalg.eigvalsh(about_center)), np.sort(model.body_inertia[1]), "principal inertias", values)
    turn = np.zeros(9)
    mujoco.mju_quat2Mat(turn, model.body_iquat[1])
    R = turn.reshape(3, 3)
    wanted = R @ np.diag(model.body_inertia[1]) @ R.T
    agree(about_center, wanted, "inertia", AXES)
    return mass, center, inertia


def files(folder: Path, random: np.random.Generator) -> None:
    meshes = folder / "meshes"
    meshes.mkdir()
    write_stl(meshes / "a.stl", *lump(random))
    write_obj(meshes / "a.obj", *lump(random))


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_body_of_meshes_weighs_what_it_weighs_in_mujoco(seed: int, word: str | None, tmp_path: Path) -> None:
    random = np.random.default_rng([4096, seed, len(word or "")])
    files(tmp_path, random)
    stated = f'mass="{text(random.uniform(1, 3))}"' if seed % 3 == 0 else f'density="{text(random.uniform(100, 3000))}"'
    assets = {kind: asset(random, word, f"a.{kind}") for kind in ("stl", "obj")}
    geoms = {kind: f'<geom type="mesh" mesh="{word}_{kind}" {stated} {place(random)}/>' for kind in assets}
    for kind, geom in geoms.items():
        compared(free([assets[kind]], geom), tmp_path, VALUES)
    # Of two geoms MuJoCo adds the tensors with the axes that it found.
    compared(free(list(assets.values()), "".join(geoms.values())), tmp_path, AXES)


def free(assets: list[str], geoms: str, compiler: str = "") -> str:
    return (
        f'<mujoco><compiler meshdir="meshes" strippath="true" {compiler}/><asset>{"".join(assets)}</asset>'
        f'<worldbody><body name="tip"><freejoint name="f"/>{geoms}</body></worldbody></mujoco>'
    )


def sums(points: Array, faces: Array, word: str) -> tuple[float, Array, Array]:
    """Size, centre and inertia about the origin of a mesh of density one: the definitions of the format, without its principal axes."""
    a, b, c = (points[faces[:, k]] for k in range(3))

    def about(o: Array) -> tuple[float, Array, Array]:
        p, q, r = a - o, b - o, c - o
        across = np.cross(q - p, r - p)
        size = np.linalg.norm(across, axis=1) / 2 if word == "shell" else np.einsum("ij,ij->i", p, across) / 6
        size = np.abs(size) if word == "legacy" else size
        parts, squares = (3, 12) if word == "shell" else (4, 20)
        s = p + q + r
        first = (size[:, None] * s).sum(axis=0) / parts
        second = sum(np.einsum("i,ij,ik->jk", size / squares, x, x) for x in (p, q, r, s))
        return size.sum(), o + first / size.sum(), np.trace(second) * np.eye(3) - second

    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    middle = (area[:, None] * (a + b + c)).sum(axis=0) / area.sum() / 3
    _, center, _ = about(middle)
    size, _, inertia = about(center)
    return size, center, about_origin(size, center, inertia)


@pytest.mark.parametrize("word", ["legacy", "exact", "shell"])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_inertia_of_a_mesh_is_the_sum_over_its_triangles(seed: int, word: str, tmp_path: Path) -> None:
    random = np.random.default_rng([1024, seed])
    points, faces = lump(random)
    write_stl(tmp_path / "m.stl", points, faces)
    scale = random.uniform(0.5, 2, size=3) * random.choice([-1, 1], size=3)
    r, q = random.normal(size=3) * 0.2, random.normal(size=4)
    path = tmp_path / "robot.xml"
    path.write_text(
        f'<mujoco><asset><mesh file="m.stl" inertia="{word}" scale="{text(scale)}" refpos="{text(r)}" refquat="{text(q)}"/></asset>'
        f'<worldbody><body name="b"><freejoint name="f"/><geom type="mesh" mesh="m" density="1"/></body></worldbody></mujoco>'
    )
    w, x, y, z = q / np.linalg.norm(q)
    v = np.array([x, y, z])
    R = (w * w - v @ v) * np.eye(3) + 2 * np.outer(v, v) + 2 * w * np.cross(np.eye(3), v)
    placed = (points.astype(np.float32).astype(float) - r) @ R * scale
    faces = faces[:, ::-1] if np.prod(scale) < 0 else faces
    size, center, inertia = sums(placed, faces, word)
    mass, found, tensor = of_carom(path)
    agree([mass], [size], "mass", ROUND_OFF)
    agree(found, center, "centre", ROUND_OFF)
    agree(tensor, inertia, "inertia", ROUND_OFF)


@pytest.mark.parametrize("bounds", ["false", "true"])
@pytest.mark.parametrize("kind", FITS)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_fitted_primitive_is_that_of_mujoco(seed: int, kind: str, bounds: str, tmp_path: Path) -> None:
    random = np.random.default_rng([8192, seed])
    files(tmp_path, random)
    word = ["legacy", "exact", "shell"][seed]
    geom = f'<geom type="{kind}" mesh="{word}_stl" fitscale="1.25" {place(random)}/>'
    # Bounds are those along the principal axes.
    values = AXES if bounds == "true" else VALUES
    compared(free([asset(random, word, "a.stl")], geom, f'fitaabb="{bounds}"'), tmp_path, values)


def test_the_picture_shows_a_mesh_where_mujoco_has_it(tmp_path: Path) -> None:
    import mujoco

    random = np.random.default_rng(17)
    files(tmp_path, random)
    path = tmp_path / "robot.xml"
    path.write_text(
        f"""<mujoco><compiler meshdir="meshes"/><asset><mesh name="m" file="a.stl" scale="2 2 2" refpos="0.1 0.2 0.3" refquat="1 2 3 4"/></asset>
        <worldbody><body name="tip"><freejoint name="f"/><geom type="mesh" mesh="m" {place(random)}/></body></worldbody></mujoco>"""
    )
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    shown = model.mesh_vert @ data.geom_xmat[0].reshape(3, 3).T + data.geom_xpos[0]
    points = carom.Robot(path, tip="tip").skin(points=5000).position
    # Every corner that MuJoCo shows has a point of the skin near it: facets are some millimetres wide.
    least = np.linalg.norm(shown[:, None, :] - points[None, :, :], axis=2).min(axis=1)
    assert least.max() < 0.05 * np.ptp(shown, axis=0).max(), least.max()
