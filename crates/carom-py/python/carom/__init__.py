"""carom: how hard does your mechanism hit?

Effective mass, impact energy, impacts and contact forces of planar and spatial multibody systems.

>>> import carom
>>> m = carom.Machine.open("models/000/slider-crank.toml", parameters={"theta": "30 deg"})
>>> a = m.assess("faces")
>>> a.effective_mass, a.impact_energy
(0.801475121638498, 0.8393156438348175)
"""

from ._answer import UNITS, Answer, AssessAnswer, Caution, ImpactAnswer, VerbAnswer, unit
from ._carom import StateAssessment, version
from ._design import Map, UncertaintyAnswer, compare, measure_map, optimise, uncertainty
from ._errors import (
    CaromError,
    CaromWarning,
    Fault,
    LawError,
    ModelError,
    RunInterrupted,
    SimulationError,
    StateError,
    StudyError,
    StudyInterrupted,
    UnknownNameError,
    VersionError,
)
from ._fit import FitAnswer
from ._laws import Law, law, laws
from ._limits import PathLimits, Skin, SpeedLimits
from ._machine import Machine
from ._robot import Robot
from ._run import ContactHistory, Run, RunUnderLaw, Table, Trajectory
from ._states import StatesAssessment
from ._study import Study, StudyTable

__version__ = version()

__all__ = [
    "UNITS",
    "Answer",
    "AssessAnswer",
    "CaromError",
    "CaromWarning",
    "Caution",
    "ContactHistory",
    "Fault",
    "FitAnswer",
    "ImpactAnswer",
    "Law",
    "LawError",
    "Machine",
    "Map",
    "ModelError",
    "PathLimits",
    "Robot",
    "Run",
    "RunInterrupted",
    "RunUnderLaw",
    "SimulationError",
    "Skin",
    "SpeedLimits",
    "StateAssessment",
    "StateError",
    "StatesAssessment",
    "Study",
    "StudyError",
    "StudyInterrupted",
    "StudyTable",
    "Table",
    "Trajectory",
    "UncertaintyAnswer",
    "UnknownNameError",
    "VerbAnswer",
    "VersionError",
    "compare",
    "law",
    "laws",
    "measure_map",
    "optimise",
    "uncertainty",
    "unit",
]
