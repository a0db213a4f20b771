# Defines the fields of a QSO: their values, and whether the service or members write them. Part of
# qsosync.py and udp-bridge.py. The build inserts the service's rows (schema/fields.json), so a new
# field in the service needs no change here.
from __future__ import annotations

import re
import urllib.parse
from decimal import Decimal
from typing import Any, Dict, NamedTuple, Tuple

Qso = Dict[str, Any] # as JSON, from the service or for the service

# The characters that the service trims from texts.
SPACES = "".join(map(chr, (*range(9, 14), 32, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B),
                           0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF)))
# Patterns for the values of some kinds; other rows have their own patterns.
PATTERNS = {"datetime": r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9]\.[0-9]{3}Z",
            "integer": "-?[0-9]+", "locator": "[A-Ra-r]{2}[0-9]{2}([A-Xa-x]{2})?"}


class Field(NamedTuple):
    """A row of the service's table of fields."""
    name: str
    kind: str
    flags: Tuple[str, ...] = ()
    bands: Tuple[str, ...] = () # the only bands with the field; empty: all bands
    demanding: Tuple[str, ...] = () # the bands that require the field
    choices: Tuple[str, ...] = ()
    minimum: int = 0
    maximum: int = 0 # for a text: its length
    pattern: str = ""

    def matches(self, text: str) -> bool:
        """Returns whether the value has the field's format, whatever the field's bounds are."""
        if self.choices:
            return text in self.choices
        pattern = self.pattern or PATTERNS.get(self.kind)
        return not pattern or re.fullmatch(pattern, text, re.ASCII) is not None

    def has_within(self, number: float | Decimal) -> bool:
        return self.minimum <= number <= self.maximum

    def read(self, text: str) -> Any:
        """Returns the value of a text from ADIF. Raises ValueError if the text is not a valid
        value."""
        if not self.matches(text):
            raise ValueError(text)
        if self.kind in ("integer", "real"):
            number = int(text) if self.kind == "integer" else float(text)
            if not self.has_within(number):
                raise ValueError(text)
            return number
        if self.kind == "boolean":
            return text == "true"
        if self.kind != "text":
            return text
        value = urllib.parse.unquote(text).strip(SPACES)
        if len(value) > self.maximum or "\0" in value:
            raise ValueError(text)
        return value


ROWS: Tuple[Field, ...] = (
    # @fields
)
FIELDS = {field.name: field for field in ROWS}
CLIENT_NAMES = ("clientId",) # identifies the QSO
MATCH_NAMES = ("match", "program", "programId") # help the service to find the QSO
SERVER_FIELDS = tuple(name for name, field in FIELDS.items() if "read_only" in field.flags)
REQUEST_FIELDS = tuple(name for name, field in FIELDS.items() if "write_only" in field.flags)
# Every field that members write, with its value in a QSO that lacks it.
EMPTY_QSO: Qso = {
    name: False if field.kind == "boolean" and "never_null" in field.flags else None
    for name, field in FIELDS.items()
    if name not in (*CLIENT_NAMES, *SERVER_FIELDS, *REQUEST_FIELDS)}


def fields_not_on(band: str | None) -> list[str]:
    """Returns the fields that a QSO on this band cannot have."""
    return [name for name, field in FIELDS.items() if field.bands and band not in field.bands]


class Refused(Exception):
    """A record that cannot be a QSO of this service."""
