# Lists the digital modes of ADIF with their submodes, and other names that programs use as modes.
# Part of qsosync.py and udp-bridge.py.
from __future__ import annotations

import re
from typing import Tuple

from qsosync_fields import FIELDS

# A mode of ADIF (version 3.1.6) and its submodes.
MODES_OF_ADIF: Tuple[Tuple[str, ...], ...] = (
    # @adif-modes
)
# The mode for each name. Programs also use names of submodes as modes.
MODE_OF = {name: names[0] for names in MODES_OF_ADIF for name in names}
NAMED_MODES = tuple(name for name in FIELDS["mode"].choices if name != "DIGITAL")
MODE_WORDS: Tuple[Tuple[str, str], ...] = (
    # @mode-words
)
# Our mode for each of these names; empty if we do not have the mode.
NAMED_MODE_OF = {**dict(MODE_WORDS), **{name: name for name in NAMED_MODES}}
WORDS_FOR_DIGITAL = ("DIGITAL", "DATA", "DIGI") # names for any digital mode
NAME_OF_MODE = re.compile("(?=.*[A-Z])[0-9A-Z][0-9A-Z /+._-]{1,19}")


def is_digital(name: str) -> bool:
    """Returns whether an upper-case name is a digital mode, including names that ADIF lacks."""
    return name in MODE_OF or name not in NAMED_MODE_OF and bool(NAME_OF_MODE.fullmatch(name))
