"""Figures with matplotlib: the machine, its motion, energies and forces over time."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from ._states import Floats

if TYPE_CHECKING:
    from ._run import Run

#: Colours of bodies, told apart also by people who see few colours (Okabe and Ito 2008).
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C6D31", "#666666")
GROUND = "#555555"
ENERGY_COLOURS = {"kinetic": "#0072B2", "potential": "#009E73", "contact_elastic": "#E69F00"}
LOST = "#D55E00"


class Camera:
    """From space to the paper: the plane of a planar machine, an oblique view of a spatial one."""

    def __init__(self, planar: bool, gravity: list[float]) -> None:
        if planar:
            self.right, self.up, self.toward = np.eye(3)
            return
        up = -np.asarray(gravity, dtype=float)
        up = up / np.linalg.norm(up) if np.linalg.norm(up) > 0 else np.array([0.0, 0.0, 1.0])
        side = np.array([1.0, 0.0, 0.0]) if abs(up[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
        east = side - up * (side @ up)
        east /= np.linalg.norm(east)
        north = np.cross(up, east)
        azimuth, elevation = math.radians(35), math.radians(20)
        self.right = math.cos(azimuth) * east + math.sin(azimuth) * north
        away = -math.sin(azimuth) * east + math.cos(azimuth) * north
        self.toward = -math.cos(elevation) * away + math.sin(elevation) * up
        self.up = np.cross(self.toward, self.right)

    def __call__(self, points: Floats) -> Floats:
        points = np.atleast_2d(points)
        return np.stack([points @ self.right, points @ self.up], axis=1)

    def depth(self, points: Floats) -> float:
        return float(np.mean(np.atleast_2d(points) @ self.toward))


def _pose(poses: list[list[float]], k: int, planar: bool) -> tuple[Floats, Floats]:
    """Place and rotation of a body at a moment."""
    value = [column[k] for column in poses]
    if planar:
        x, y, angle = value[:3]
        c, s = math.cos(angle), math.sin(angle)
        return np.array([x, y, 0.0]), np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    place, (w, x, y, z) = np.array(value[:3]), value[3:7]
    rotation = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    return place, rotation


class Drawing:
    """The machine on axes of matplotlib; :meth:`show` moves it."""

    def __init__(self, scene: dict[str, Any], ax: Any) -> None:
        self.scene = scene
        self.ax = ax
        self.planar: bool = scene["planar"]
        self.camera = Camera(self.planar, scene["gravity"])
        self.artists: list[Any] = []
        ax.set_aspect("equal")
        ax.set_xlabel("x [m]" if self.planar else "")
        ax.set_ylabel("y [m]" if self.planar else "")
        if self.planar:
            ax.grid(alpha=0.25)
        else:
            ax.set_axis_off()

    def outlines(self, poses: list[Any], k: int) -> list[tuple[dict[str, Any], str, Any]]:
        still = (np.zeros(3), np.eye(3))
        out = [(self.scene["ground"], GROUND, still)]
        for n, (body, pose) in enumerate(zip(self.scene["bodies"], poses)):
            out.append((body, COLOURS[n % len(COLOURS)], _pose(pose, k, self.planar)))
        return out

    def extent(self, poses: list[Any], moments: list[int]) -> tuple[Floats, Floats]:
        """The corners of what is drawn at those moments, planes apart."""
        points: list[Floats] = []
        for k in moments:
            for outline, _, (place, turn) in self.outlines(poses, k):
                own = [p for line in outline["lines"] for p in line["p"]]
                own += outline["joints"] + outline["tips"] + outline["blocks"]
                own += [end for rod in outline["rods"] for end in (rod["a"], rod["b"])]
                if own:
                    points.append(self.camera(np.array(own) @ turn.T + place))
                for ball in outline["balls"]:
                    center = self.camera(np.array(ball["c"]) @ turn.T + place)[0]
                    points.append(np.array([center - ball["r"], center + ball["r"]]))
        if not points:
            return np.array([-1.0, -1.0]), np.array([1.0, 1.0])
        every = np.concatenate(points)
        low: Floats = every.min(axis=0)
        high: Floats = every.max(axis=0)
        room = 0.1 * max(float((high - low).max()), 1e-9)
        return low - room, high + room

    def frame(self, poses: list[Any], moments: list[int]) -> None:
        """Sets the limits of the axes so that all moments fit."""
        low, high = self.extent(poses, moments)
        size = high - low
        least = 0.35 * float(size.max())
        for k in range(2):
            if size[k] < least:
                middle = 0.5 * (low[k] + high[k])
                low[k], high[k] = middle - 0.5 * least, middle + 0.5 * least
        self.ax.set_xlim(low[0], high[0])
        self.ax.set_ylim(low[1], high[1])
        self.size = float((high - low).max())

    def show(self, poses: list[Any], k: int) -> list[Any]:
        """Draws the machine at a moment in place of what was drawn before."""
        for artist in self.artists:
            artist.remove()
        self.artists = []
        for outline, colour, (place, turn) in self.outlines(poses, k):
            self._outline(outline, colour, place, turn)
        return self.artists

    def _outline(self, outline: dict[str, Any], colour: str, place: Floats, turn: Floats) -> None:
        from matplotlib.patches import Circle, Polygon

        def moved(points: Any) -> Floats:
            out: Floats = np.array(points, dtype=float).reshape(-1, 3) @ turn.T + place
            return out

        add = self.artists.append
        for point, normal in outline["planes"]:
            self._plane(moved(point)[0], turn @ np.array(normal), colour)
        for line in outline["lines"]:
            space = moved(line["p"])
            paper, order = self.camera(space), self._order(space)
            if line["kind"] == "face":
                face = Polygon(paper, closed=True, facecolor=colour, alpha=0.25, edgecolor=colour, lw=1.2, zorder=order)
                add(self.ax.add_patch(face))
            else:
                width = 3.0 if line["kind"] == "stick" else 1.5
                add(self.ax.plot(*paper.T, color=colour, lw=width, solid_capstyle="round", zorder=order)[0])
        for rod in outline["rods"]:
            space = moved([rod["a"], rod["b"]])
            width = max(2.0, 2 * rod.get("r", 0.0) * self._points_per_metre())
            paper = self.camera(space)
            add(
                self.ax.plot(
                    *paper.T, color=colour, lw=width, alpha=0.5, solid_capstyle="round", zorder=self._order(space)
                )[0]
            )
        for ball in outline["balls"]:
            space = moved(ball["c"])
            fill = "none" if ball.get("kind") == "hollow" else colour
            circle = Circle(
                self.camera(space)[0], ball["r"], facecolor=fill, edgecolor=colour, alpha=0.5, zorder=self._order(space)
            )
            add(self.ax.add_patch(circle))
        for joints in outline["joints"]:
            paper = self.camera(moved(joints))
            add(self.ax.plot(*paper.T, "o", color="white", mec=colour, mew=1.5, ms=6, zorder=1000)[0])
        for tip in outline["tips"]:
            add(self.ax.plot(*self.camera(moved(tip)).T, ".", color=colour, ms=5, zorder=1000)[0])

    def _order(self, space: Floats) -> float:
        return 10.0 if self.planar else 10.0 + self.camera.depth(space) / max(self.size, 1e-9)

    def _points_per_metre(self) -> float:
        low, high = self.ax.get_xlim()
        width = self.ax.get_window_extent().width / self.ax.figure.dpi * 72
        return float(width / (high - low))

    def _plane(self, at: Floats, normal: Floats, colour: str) -> None:
        from matplotlib.patches import Polygon

        add = self.artists.append
        if self.planar:
            along = np.array([-normal[1], normal[0], 0.0])
            own = colour != GROUND
            reach = 0.05 * self.size if own else 2.0 * self.size
            ends = self.camera(np.array([at - reach * along, at + reach * along]))
            add(self.ax.plot(*ends.T, color=colour, lw=1.5, zorder=5)[0])
            if not own:
                deep = 4.0 * self.size
                corners = [at - reach * along, at + reach * along, at + reach * along - deep * normal]
                corners.append(at - reach * along - deep * normal)
                add(self.ax.add_patch(Polygon(self.camera(np.array(corners)), facecolor=colour, alpha=0.12, lw=0, zorder=1)))
            return
        side = np.cross(normal, [1.0, 0.0, 0.0] if abs(normal[0]) < 0.9 else [0.0, 1.0, 0.0])
        side /= np.linalg.norm(side)
        other = np.cross(normal, side)
        reach = 0.6 * self.size
        square = [at + reach * (a * side + b * other) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        sheet = Polygon(self.camera(np.array(square)), facecolor=colour, alpha=0.1, edgecolor=colour, lw=0.8, zorder=1)
        add(self.ax.add_patch(sheet))


def draw(picture: dict[str, Any], ax: Any = None) -> Any:
    """Draws a machine that stands."""
    return _standing(picture, ax).ax


def plot_assessment(picture: dict[str, Any], answer: dict[str, Any], ax: Any = None) -> Any:
    """Draws a machine with the contacts that were assessed: where they strike, along which normal, how heavy and with how much energy."""
    drawing = _standing(picture, ax)
    ax = drawing.ax
    titles = []
    for contact in answer["contacts"]:
        normals = [row for row in contact["rows"] if row["kind"] == "normal"]
        for row in normals:
            at = np.array(row["on_i"])
            ends = drawing.camera(np.array([at, at + 0.15 * drawing.size * np.array(row["normal"])]))
            arrow = {"arrowstyle": "-|>", "color": LOST, "lw": 1.8}
            ax.annotate("", xy=ends[1], xytext=ends[0], arrowprops=arrow, annotation_clip=False, zorder=1001)
            ax.plot(*ends[:1].T, "o", color=LOST, ms=5, zorder=1002)
        masses = [row["effective_mass"] for row in normals]
        heaviest = "∞" if None in masses else f"{max(masses, default=0.0):.4g} {contact['units']['mass']}"
        energy = contact["energies"]["impact_energy"]
        titles.append(f"{contact['name']}: m_eff {heaviest}, T_c {'∞' if energy is None else f'{energy:.4g} J'}")
    if len(titles) > _MOST_TITLES:
        titles = [*titles[:_MOST_TITLES], f"and {len(titles) - _MOST_TITLES} more contacts"]
    ax.set_title("\n".join(titles), fontsize="small")
    return ax


#: Contacts that the title of an assessment names.
_MOST_TITLES = 6


def _standing(picture: dict[str, Any], ax: Any) -> Drawing:
    import matplotlib.pyplot as plt

    if ax is None:
        _, ax = plt.subplots(figsize=(6, 4.5), layout="constrained")
    drawing = Drawing(picture["scene"], ax)
    poses = picture["pose"]["poses"]
    drawing.frame(poses, [0])
    drawing.show(poses, 0)
    for n, body in enumerate(picture["scene"]["bodies"][:12]):
        ax.plot([], [], color=COLOURS[n % len(COLOURS)], lw=3, label=body["name"])
    if picture["scene"]["bodies"]:
        ax.legend(loc="best", fontsize="small", frameon=False)
    return drawing


def animate(picture: dict[str, Any], path: str | os.PathLike[str], seconds: float, fps: int) -> None:
    """Writes the motion of the first run as a moving picture that lasts so long."""
    import matplotlib.pyplot as plt
    from matplotlib.animation import FuncAnimation

    run = picture["runs"][0]
    t, poses = np.array(run["t"]), run["poses"]
    count = max(2, round(seconds * fps))
    wanted = np.linspace(t[0], t[-1], count)
    moments = [int(k) for k in np.clip(np.searchsorted(t, wanted, side="right") - 1, 0, len(t) - 1)]
    figure, ax = plt.subplots(figsize=(6, 4.5), dpi=90, layout="constrained")
    drawing = Drawing(picture["scene"], ax)
    drawing.frame(poses, moments)
    # The axes are laid out once, not for every frame.
    ax.set_title("t")
    figure.draw_without_rendering()
    figure.set_layout_engine(None)
    slow = seconds / max(float(t[-1] - t[0]), 1e-12)

    def step(n: int) -> list[Any]:
        ax.set_title(f"t = {wanted[n]:.4g} s   ({slow:.3g} × slower)" if slow > 1.05 else f"t = {wanted[n]:.4g} s")
        return drawing.show(poses, moments[n])

    moving = FuncAnimation(figure, step, frames=count, interval=1000 / fps)
    writer = "pillow" if os.fspath(path).lower().endswith((".gif", ".webp")) else None
    moving.save(os.fspath(path), writer=writer, fps=fps)
    plt.close(figure)


def plot_run(run: Run, axes: Any = None) -> Any:
    """Energies over time, and below them contact forces (force laws) or the impulses of impacts."""
    import matplotlib.pyplot as plt

    if axes is None:
        figure, axes = plt.subplots(2, 1, figsize=(7, 6), sharex=True, layout="constrained")
    else:
        figure = axes[0].figure
    upper, lower = axes
    t, energies = run.trajectory.t, run.trajectory.energies
    for name, colour in ENERGY_COLOURS.items():
        values = energies[name]
        if np.any(values != 0.0):
            upper.plot(t, values, color=colour, label=name.replace("_", " "))
    lost = sum(energies[name] for name in energies if name.endswith("_loss"))
    if np.any(np.asarray(lost) != 0.0):
        upper.plot(t, lost, color=LOST, label="lost")
    upper.set_ylabel("energy [J]")
    upper.legend(frameon=False, fontsize="small")
    drawn = False
    for n, (name, history) in enumerate(run.contacts.items()):
        force = history["normal_force"]
        if len(history.t) and np.any(np.nan_to_num(force) != 0.0):
            lower.plot(*_broken(history.t, force), color=COLOURS[n % len(COLOURS)], label=name)
            drawn = True
    if drawn:
        lower.set_ylabel("normal force [N]")
        lower.legend(frameon=False, fontsize="small")
    else:
        onsets = [impact["onset"] for impact in run.impacts]
        heights = [impact["impact_energy"] for impact in run.impacts]
        heights = [np.nan if h is None else h for h in heights]
        if onsets:
            lower.vlines(onsets, 0.0, heights, color=LOST)
            lower.plot(onsets, heights, "o", color=LOST, ms=4)
        lower.set_ylabel("impact energy T_c [J]")
        lower.set_ylim(bottom=0.0)
    lower.set_xlabel("t [s]")
    for ax in (upper, lower):
        ax.grid(alpha=0.25)
    return figure


def _broken(t: Floats, force: Floats) -> tuple[Floats, Floats]:
    """A line with gaps between contacts: where the pause is long beside the steps around it."""
    steps = np.diff(t)
    if len(steps) < 2:
        return t, force
    usual = np.median(steps[steps > 0]) if np.any(steps > 0) else 0.0
    at = np.flatnonzero(steps > 50 * usual) + 1
    return np.insert(t, at, np.nan), np.insert(force, at, np.nan)
