"""Figures of a robot with matplotlib: its tip by direction, and a motion near a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._plot import COLOURS, LOST
from ._states import Floats

if TYPE_CHECKING:
    from ._limits import PathLimits
    from ._robot import Robot

#: Values along each side of the map of directions, and directions of a cut.
SIDE, TURN = 121, 361
#: Cuts and the map reach up to this multiple of the lightest mass: beyond it a nearly immobile direction would hide the rest.
MOST = 10.0
#: The planes of the cuts, and which axes they have.
PLANES = (("x", "y", 0, 1), ("y", "z", 1, 2), ("x", "z", 0, 2))


def hemisphere(side: int = SIDE) -> tuple[Floats, Floats, Floats]:
    """Lambert's equal-area projection of the directions with z ≥ 0: x and y on the paper, and n (side, side, 3) with NaN outside."""
    x, y = np.meshgrid(np.linspace(-1, 1, side), np.linspace(-1, 1, side), indexing="xy")
    square = x**2 + y**2
    inside = square <= 1
    # The distance from the middle is √2 sin(θ/2), so z = 1 − r² and the equator is the rim.
    stretch = np.sqrt(np.where(inside, 2 - square, np.nan))
    return x, y, np.stack([x * stretch, y * stretch, np.where(inside, 1 - square, np.nan)], axis=-1)


def masses(inverse: Floats, n: Floats) -> Floats:
    """m_eff = 1 / (nᵀ Λ⁻¹ n); inf where that is zero to round-off."""
    W: Floats = np.einsum("...i,ij,...j->...", n, inverse, n)
    zero = 1e-14 * float(np.trace(inverse))
    with np.errstate(divide="ignore"):
        return np.where(zero >= W, np.inf, 1 / W)


def plot_tip(robot: Robot, q: Floats, figure: Any) -> Any:
    """m_eff over all directions, and the arm."""
    import matplotlib.pyplot as plt

    planar = robot.machine.planar
    if figure is None:
        figure = plt.figure(figsize=(10, 3.6) if planar else (10, 7), layout="constrained")
    planes = PLANES[:1] if planar else PLANES
    inverse = robot._of_tip("mobility", q, 1)
    angle = np.linspace(0, 2 * np.pi, TURN)
    cuts = []
    for *_, i, j in planes:
        n = np.zeros((TURN, 3))
        n[:, i], n[:, j] = np.cos(angle), np.sin(angle)
        cuts.append(masses(inverse, n))
    finite = np.concatenate([cut[np.isfinite(cut)] for cut in cuts])
    reach = min(float(finite.max()), MOST * float(finite.min())) if len(finite) else 1.0
    if planar:
        arm, cut_axes = figure.add_subplot(1, 2, 1), [figure.add_subplot(1, 2, 2)]
    else:
        grid = figure.add_gridspec(2, 6, height_ratios=[1.15, 1])
        arm, map_ax = figure.add_subplot(grid[0, :3]), figure.add_subplot(grid[0, 3:])
        cut_axes = [figure.add_subplot(grid[1, 2 * k : 2 * k + 2]) for k in range(3)]
        x, y, n = hemisphere()
        shown = masses(inverse, n)
        drawn = map_ax.pcolormesh(x, y, np.minimum(shown, reach), shading="auto", cmap="viridis", vmax=reach, rasterized=True)
        map_ax.plot(np.cos(angle), np.sin(angle), color="0.3", lw=1)
        map_ax.set_aspect("equal"), map_ax.set_axis_off()
        map_ax.set_title("directions with z ≥ 0, equal-area: +x right, +y up, +z in the middle", fontsize="small")
        capped = bool(np.nanmax(np.where(np.isfinite(shown), shown, np.inf)) > reach)
        figure.colorbar(drawn, ax=map_ax, label="m_eff [kg]", extend="max" if capped else "neither")
    robot.draw(q, arm)
    arm.set_title(f"tip: {robot.tip}", fontsize="small")
    for (first, second, i, j), cut, ax in zip(planes, cuts, cut_axes):
        inside = np.where(cut <= reach, cut, np.nan)
        ax.plot(inside * np.cos(angle), inside * np.sin(angle), color=COLOURS[0], lw=1.6, label="m_eff [kg]")
        # xᵀ Λ⁻¹ x = 1 has the radius √m_eff; it is drawn to the same longest axis.
        within = cut[np.isfinite(cut)]
        if len(within):
            scale = min(reach, float(within.max())) / np.sqrt(float(within.max()))
            root = scale * np.sqrt(np.where(np.isfinite(cut), cut, np.nan))
            ax.plot(root * np.cos(angle), root * np.sin(angle), color="0.5", lw=1, ls="--", label="ellipse of Λ⁻¹, scaled")
        ax.set_xlim(-1.05 * reach, 1.05 * reach), ax.set_ylim(-1.05 * reach, 1.05 * reach)
        ax.set_aspect("equal"), ax.grid(alpha=0.25)
        ax.set_xlabel(f"m_eff along {first} [kg]"), ax.set_ylabel(f"along {second} [kg]")
    cut_axes[0].legend(frameon=False, fontsize="x-small", loc="upper right")
    return figure


def plot_path(found: PathLimits, axes: Any) -> Any:
    """Robot mass, speed beside the speed that is allowed, and how much of the limit is used."""
    import matplotlib.pyplot as plt

    if axes is None:
        figure, axes = plt.subplots(3, 1, figsize=(8, 7), sharex=True, layout="constrained")
    else:
        figure = axes[0].figure
    mass, speed, used = axes
    t = np.arange(len(found)) if found.t is None else found.t
    mass.plot(t, found.robot_mass, color=COLOURS[0])
    mass.set_ylabel("robot mass [kg]")
    speed.plot(t, found.tip_speed, color=COLOURS[0], label="speed of the tip")
    speed.plot(t, found.allowed, color=LOST, label="allowed")
    speed.fill_between(
        t, found.allowed, found.tip_speed, where=list(found.too_fast), color=LOST, alpha=0.25, lw=0, label="too fast"
    )
    speed.set_ylabel("speed [m/s]")
    speed.legend(frameon=False, fontsize="small")
    used.plot(t, 100 * found.utilisation, color=COLOURS[0])
    used.axhline(100, color=LOST, lw=1)
    used.set_ylabel("predicted force / limit [%]")
    used.set_xlabel("sample" if found.t is None else "t [s]")
    who = "a clamped person" if found.clamped else "a free person"
    mass.set_title(f"near {who}: design estimate\n{found.source}", fontsize="x-small")
    for ax in axes:
        ax.grid(alpha=0.25)
        ax.set_ylim(bottom=0.0)
    return figure
