# Defines the rules by which the service refuses requests and rejects entries, for
# qsosync-check-client.py. The details of an error name the same field as the real service's answer.
from __future__ import annotations

import json
import re
from datetime import datetime, timedelta, timezone
from decimal import Decimal, InvalidOperation
from typing import Any, Dict, Optional

from qsosync_fields import FIELDS, SPACES, Field

Json = Dict[str, Any]
ENTRIES_MAX = 200
LIMIT_MAX = 500
AHEAD_MAX = 8
PROGRAM_MAX, PROGRAM_ID_MAX = 32, 64
TIME = re.compile(r"(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d)(?::([0-5]\d|60)(?:\.(\d+))?)?"
                  r"(?:[Zz]|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)", re.ASCII)
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def read_time(text: Any) -> Optional[int]:
    """Returns the milliseconds since 1970 of an ISO 8601 date-time with a time zone; None if the
    text is not a date-time."""
    match = TIME.fullmatch(text) if isinstance(text, str) else None
    if not match:
        return None
    day, minute, second, fraction, sign, hours, minutes = match.groups()
    try:
        local = datetime.strptime(f"{day} {minute}", "%Y-%m-%d %H:%M").replace(tzinfo=timezone.utc)
        offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
        moment = local + offset if sign == "-" else local - offset
    except (ValueError, OverflowError):
        return None
    is_leap = second == "60"
    rest = 59999 if is_leap else 1000 * int(second or 0) + int(((fraction or "") + "000")[:3])
    return (moment - EPOCH) // timedelta(milliseconds=1) + rest


def fault_of_query(query: Dict[str, str]) -> Optional[Json]:
    """Returns the first invalid parameter of GET /logs, as in the details of an error."""
    for name, most in ("limit", LIMIT_MAX), ("ahead", AHEAD_MAX):
        text = query.get(name, str(most))
        least = 0 if name == "ahead" else 1
        if not re.fullmatch(r"-?\d{1,9}", text, re.ASCII) or not least <= int(text) <= most:
            return {"field": name, "message": f"must be an integer from {least} to {most}"}
    if "updatedSince" in query and read_time(query["updatedSince"].replace(" ", "+")) is None:
        return {"field": "updatedSince",
                "message": "must be an ISO 8601 date-time with a time zone"}
    if query.get("includeDeleted", "true") not in ("true", "false"):
        return {"field": "includeDeleted", "message": "must be true or false"}
    return None


def read_json(raw: bytes) -> Any:
    """Returns the value of a text in JSON; None if the text is not JSON."""
    def refuse(name: str) -> Any:
        raise ValueError(name)
    try:
        return json.loads(raw, parse_constant=refuse)
    except (ValueError, RecursionError):
        return None


def fault_of_batch(content_type: str, body: Any) -> Optional[Json]:
    """Returns the fault of a batch as a whole, as in the details of an error."""
    if content_type.partition(";")[0].strip().lower() != "application/json":
        return {"field": "Content-Type", "message": "must be application/json"}
    if body is None:
        return {"field": "body", "message": "must be JSON"}
    entries = body.get("entries") if isinstance(body, dict) else None
    if not isinstance(entries, list) or not 1 <= len(entries) <= ENTRIES_MAX:
        return {"field": "entries", "message": f"must be a list of 1 to {ENTRIES_MAX} entries"}
    return None


def fault_of_name(name: str) -> Optional[Json]:
    """Returns the fault of a clientId in a path."""
    return None if UUID.fullmatch(name) else {"field": "clientId", "message": "must be a UUID"}


def fits(field: Field, value: Any) -> bool:
    """Returns whether the service accepts a value, other than null, in a field."""
    if field.kind == "boolean":
        return isinstance(value, bool)
    if field.kind in ("integer", "real"):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return False
        return (field.kind == "real" or value == int(value)) and field.has_within(value)
    if not isinstance(value, str):
        return False
    text = value.strip(SPACES)
    if field.kind == "uuid":
        return UUID.fullmatch(value) is not None
    if field.kind == "datetime":
        return read_time(value) is not None
    if field.kind == "choice":
        return value in field.choices
    if field.kind == "frequency":
        return is_frequency(field, text)
    if field.kind == "text":
        return not re.search("[\0\ud800-\udfff]", text) and len(text) <= field.maximum
    return field.matches(text)


def is_frequency(field: Field, text: str) -> bool:
    if not re.fullmatch(r"\d{1,3}\.\d{3}", text, re.ASCII):
        return False
    try:
        return field.has_within(1000 * Decimal(text))
    except InvalidOperation:
        return False


def fault_of_entry(entry: Any) -> Optional[str]:
    """Returns the reason for the permanent rejection of an entry; None if the service accepts the
    entry."""
    if not isinstance(entry, dict):
        return "a QSO must be an object"
    band = entry.get("band")
    for name, field in FIELDS.items():
        if "read_only" in field.flags:
            continue
        value = entry.get(name)
        if value is None and ("required" in field.flags or band in field.demanding):
            return f"{name} is required"
        if value is None:
            continue
        if field.bands and band not in field.bands:
            return f"{name} must be absent or null on this band"
        if not fits(field, value):
            return f"{name} cannot be {json.dumps(value)[:60]}"
    return fault_of_match(entry)


def fault_of_match(entry: Json) -> Optional[str]:
    base, match = entry.get("baseSyncedAt"), entry.get("match")
    if base is not None and (not isinstance(base, str) or read_time(base.strip(SPACES)) is None):
        return "baseSyncedAt must be the syncedAt of the QSO that was changed"
    if match is None or match is False:
        return None
    if match is not True and match != "find":
        return 'match must be true, false or "find"'
    if base is not None:
        return "baseSyncedAt cannot be combined with match"
    return fault_of_program(entry.get("program"), entry.get("programId"))


def fault_of_program(program: Any, number: Any) -> Optional[str]:
    if program is not None and not (isinstance(program, str) and re.search("[!-~]", program)
                                    and len(program.strip(SPACES).encode()) <= PROGRAM_MAX):
        return f"program must be 1 to {PROGRAM_MAX} characters of ASCII"
    if number is None:
        return None
    text = number.strip(SPACES) if isinstance(number, str) and program else ""
    if not re.fullmatch(f"[ -~]{{1,{PROGRAM_ID_MAX}}}", text) or not text.strip("0"):
        return f"programId must be 1 to {PROGRAM_ID_MAX} characters of ASCII, with program"
    return None
