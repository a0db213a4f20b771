# Represents the message in a datagram: its QSOs as ADIF records, and its action. Part of
# udp-bridge.py.
from __future__ import annotations

import re

from qsosync_text import Fields, FoundRecord, read_records

TAG_OF_ADIF = re.compile(rb"<(?:call|qso_date|time_on):\d+[:>]|</?eor\b", re.IGNORECASE)


class NotUnderstood(Exception):
    """A datagram that could be a QSO but cannot be read."""


class Message:
    """The message in one datagram: its records, as ADIF fields, and its action: log, edit, delete
    or announce. "announce" means log, unless another message with the same contacts follows."""

    def __init__(self, action: str, records: list[FoundRecord], program: str | None = None,
                 program_id: str | None = None, before: Fields | None = None) -> None:
        self.action = action
        self.records = records # (line, fields or None, trouble or None)
        self.program = program
        self.program_id = program_id # the program's id for the contact
        self.before = before # for an edit: the fields that identified the contact before

    def contacts(self) -> set[tuple[str, ...]]:
        """Returns what identifies the records among other records from the same program."""
        return {contact_in(fields) for _, fields, _ in self.records if fields}

    def key(self) -> object:
        """Returns a value that is identical for an edit and the deletion that announces the
        edit."""
        if self.program_id or not self.before:
            return self.program, self.program_id
        return contact_in(self.before)

    def is_moved(self) -> bool:
        """Returns whether the message is an edit that changes what identifies the contact."""
        return self.action == "edit" and bool(self.before) and \
            contact_in(self.before or Fields()) not in self.contacts()

    def label(self) -> str:
        return self.program_id or " ".join(contact_in(self.before or Fields()))


def contact_in(fields: Fields) -> tuple[str, ...]:
    """Returns the station, day and minute."""
    return tuple(fields.get(name, "").upper()[:length] for name, length in
                 (("CALL", 64), ("QSO_DATE", 8), ("TIME_ON", 4)))


def read_adif(data: bytes, program: str | None = None) -> Message | None:
    if not TAG_OF_ADIF.search(data):
        raise NotUnderstood("no known program sends this")
    records = list(read_records(data))
    return Message("log", records, program) if records else None
