"""What a user does first, in an environment that holds the wheel and NumPy alone; run by ``cargo xtask python``."""

import sys
from importlib.metadata import distributions
from pathlib import Path

import numpy as np

import carom

names = {distribution.metadata["Name"].lower() for distribution in distributions()}
more = names - {"carom", "numpy", "pip", "setuptools", "wheel"}
assert not more, f"the environment is not empty: {more}"

models = Path(sys.argv[1])
m = carom.Machine.open(models / "000/slider-crank.toml", parameters={"theta": "30 deg"})
a = m.assess("faces")
assert abs(a.effective_mass - 0.801475121638498) < 1e-12, a
assert abs(a.impact_energy - 0.8393156438348175) < 1e-12, a

arm = carom.Machine.open(models / "robot-arm.toml")
q = arm.q + np.linspace(0, 0.1, 1000)[:, None]
b = arm.assess("wall", q=q, v=np.tile(arm.v, (1000, 1)), threads=2)
assert b.effective_mass.shape == (1000,) and np.all(b.effective_mass > 0)
assert carom.Machine.open(models / "001/ball-on-table.toml").run(until=0.3).impacts
print(f"carom {carom.__version__} in an environment of its own: {a}")
