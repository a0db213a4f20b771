# Serial numbers of contests. ADIF stores them next to the report, operators say both together, and
# a QSO has them in its report: "59 012". Part of qsosync.py and udp-bridge.py. The rule is that of
# the service (src/adif/serials.c).
from __future__ import annotations

import re

# By the report's name: the field of its number, and the field of a serial that is not a number.
SERIAL_NAMES = {"RST_SENT": ("STX", "STX_STRING"), "RST_RCVD": ("SRX", "SRX_STRING")}


def is_serial(text: str) -> bool:
    """Letters, digits, and behind the first one / and -; one of them a digit. Numbers begin with
    1."""
    return bool(re.fullmatch("(?=.*[0-9])[0-9A-Za-z][0-9A-Za-z/-]*", text) and text.strip("0"))


def is_report(text: str) -> bool:
    return bool(re.fullmatch("[0-9+-][^\\x00-\\x20<\\x7f]+", text))


def join_serial(report: str | None, serial: str | None) -> str | None:
    """Both in one text; None where they would not come apart in the same way."""
    if report and serial and is_report(report) and is_serial(serial):
        return f"{report} {serial}"
    return None


def split_serial(joined: str | None) -> tuple[str | None, str | None]:
    """The report alone, and its serial or None."""
    report, _, serial = (joined or "").partition(" ")
    if is_report(report) and is_serial(serial):
        return report, serial
    return joined, None


def choose_serial(number: str | None, string: str | None) -> tuple[bool, str | None]:
    """The number, in the spelling of the string where that is the same number; otherwise the
    string. First, whether it is the string."""
    same = string and (number or "").lstrip("0") == string.lstrip("0") and number
    if number and is_serial(number) and not same:
        return False, number
    return True, string


def report_fields(name: str, joined: str | None) -> list[tuple[str, str | None]]:
    """The fields that a report with its serial is written as."""
    report, serial = split_serial(joined)
    number, string = SERIAL_NAMES[name]
    is_number = bool(re.fullmatch("[0-9]+", serial or ""))
    return [(name, report), (number if is_number else string, serial)]
