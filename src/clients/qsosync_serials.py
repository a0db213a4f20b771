# Splits and joins reports and contest serials. ADIF stores the serial in addition to the report.
# Operators send both together, and a QSO has both in its report: "59 012". Part of qsosync.py and
# udp-bridge.py. The service has the same rule (src/adif/serials.c).
from __future__ import annotations

import re

# For each report, the field for a numeric serial, and the field for any other serial.
SERIAL_NAMES = {"RST_SENT": ("STX", "STX_STRING"), "RST_RCVD": ("SRX", "SRX_STRING")}


def is_serial(text: str) -> bool:
    """Returns whether the text is a serial: letters and digits, after the first character also "/"
    and "-", with at least one digit. Numbers begin with 1, so "000" is not a serial."""
    return bool(re.fullmatch("(?=.*[0-9])[0-9A-Za-z][0-9A-Za-z/-]*", text) and text.strip("0"))


def is_report(text: str) -> bool:
    return bool(re.fullmatch("[0-9+-][^\\x00-\\x20<\\x7f]+", text))


def join_serial(report: str | None, serial: str | None) -> str | None:
    """Joins report and serial in one text; None if one is missing or the text could not be split
    again."""
    if report and serial and is_report(report) and is_serial(serial):
        return f"{report} {serial}"
    return None


def split_serial(joined: str | None) -> tuple[str | None, str | None]:
    """Splits a text into the report and the serial, or None."""
    report, _, serial = (joined or "").partition(" ")
    if is_report(report) and is_serial(serial):
        return report, serial
    return joined, None


def choose_serial(number: str | None, string: str | None) -> tuple[bool, str | None]:
    """Returns (whether the string was chosen, the serial). The number is chosen if it is a
    serial, in the string's spelling if both are equal. Otherwise, the string is chosen."""
    same = string and (number or "").lstrip("0") == string.lstrip("0") and number
    if number and is_serial(number) and not same:
        return False, number
    return True, string


def report_fields(name: str, joined: str | None) -> list[tuple[str, str | None]]:
    """Returns the fields for a report with its serial."""
    report, serial = split_serial(joined)
    number, string = SERIAL_NAMES[name]
    is_number = bool(re.fullmatch("[0-9]+", serial or ""))
    return [(name, report), (number if is_number else string, serial)]
