"""Studies as tables, and the batches behind them."""

from __future__ import annotations

import numpy as np
import pytest

import carom
from carom import _states

#: A ball is thrown up to h = v²/2g, towards a ceiling at 0.9 m.
THROW = {
    "carom": 1,
    "space": "planar",
    "gravity": [0, -9.81],
    "parameters": {"h": 1.0},
    "bodies": {"ball": {"mass": 2, "inertia": 0.1, "contact": {"top": {"point": [0, 0]}}}},
    "ground": {"contact": {"ceiling": {"plane": [0, -1], "at": [0, 0.9]}}},
    "joints": {
        "up": {"type": "prismatic", "connects": ["ground", "ball"], "axis": [0, 1], "velocity": "sqrt(2*9.81*h)"}
    },
    "contacts": {
        "blow": {"between": ["ball.top", "ground.ceiling"], "restitution": 0.5, "stiffness": "1e6 N/m^1.5"}
    },
    "simulation": {"duration": 1},
}


def test_a_throw_that_does_not_reach_the_ceiling_is_an_answer() -> None:
    machine = carom.Machine.from_dict(THROW)
    study = carom.Study(
        machine, ["h"], ["impact_energy", "onset"], points=[[0.8], [1.0]], action="run", contact="blow"
    )
    table = study.run(threads=1)
    assert table.errors == {}
    (point,) = table.untouched
    assert point == 0 and "the least gap is 0.1 m" in table.untouched[0]
    # T_c = m g (h − 0.9 m); of the throw that falls back, nothing. 1e-9: the run's tolerance.
    assert table["impact_energy"] == pytest.approx([0.0, 2 * 9.81 * 0.1], rel=1e-9)
    assert np.isnan(table["onset"][0]) and table["onset"][1] > 0
    pytest.importorskip("pandas")
    assert list(table.to_pandas()["untouched"].isna()) == [False, True]
    assert "never touches" in repr(table)


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_a_batch_keeps_its_states_as_they_were(threads: int) -> None:
    array = np.random.default_rng(1).normal(size=(100_003, 6))
    copy = _states.copied(array, threads)
    assert copy.shape == array.shape and not np.may_share_memory(copy, array)
    assert (copy == array).all()
    assert _states.copied(np.zeros((0, 3)), threads).shape == (0, 3)
