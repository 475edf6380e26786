# SPDX-License-Identifier: MIT
"""Two-dimensional cellular automata at the speed of the hardware.

Examples
--------
>>> import moorea
>>> simulation = moorea.Simulation("Life", moorea.soup((256, 256), seed=1))
>>> simulation.step(1000)
1000
>>> bool(simulation.cells[10:20, 5:9].any()) in (True, False)
True
"""

from . import _errors  # before _moorea, which throws them
from ._census import Census, census, object_pattern
from ._cells import Cells, DeviceArray
from ._ensemble import Ensemble
from ._ensemble_cells import EnsembleCells
from ._errors import BusyError, Error, FileError, FilePermissionError, MissingFileError, OutOfMemoryError, RunError, UnavailableError, UsageError
from ._film import Film, animate
from ._grid import Box, Grid, soup
from ._hashlife import HashLife
from ._identify import Identification, ObjectCount, WorldPeriod, find_period, identify
from ._moorea import Rule, rule_folders
from ._moorea import named_rules as rules
from ._moorea import revision as _revision
from ._moorea import version as _version
from ._observers import Observation
from ._pattern import Pattern, bundled_patterns
from ._picture import Picture, palettes
from ._simulation import Simulation
from ._states import random_states
from ._survey import Columns, iterate_survey, survey
from ._tables import Table, bench, devices, kernels

__version__ = _version()
__revision__ = _revision()
Rule.__module__ = __name__

__all__ = [
    "Box",
    "BusyError",
    "Cells",
    "Census",
    "Columns",
    "DeviceArray",
    "Ensemble",
    "EnsembleCells",
    "Error",
    "FileError",
    "FilePermissionError",
    "Film",
    "Grid",
    "HashLife",
    "Identification",
    "MissingFileError",
    "ObjectCount",
    "Observation",
    "OutOfMemoryError",
    "Pattern",
    "Picture",
    "Rule",
    "RunError",
    "Simulation",
    "Table",
    "UnavailableError",
    "UsageError",
    "WorldPeriod",
    "animate",
    "bench",
    "bundled_patterns",
    "census",
    "devices",
    "find_period",
    "identify",
    "iterate_survey",
    "kernels",
    "object_pattern",
    "palettes",
    "random_states",
    "rule_folders",
    "rules",
    "soup",
    "survey",
]
