# Converts the standard fields of ADIF to a QSO. Part of qsosync.py and udp-bridge.py.
# qsosync_writing.py writes standard fields, and qsosync_adif.py handles values for which ADIF has
# no place.
from __future__ import annotations

import datetime
import re
import time
from decimal import ROUND_FLOOR, Decimal
from typing import Callable, Iterable, Mapping, Tuple

from qsosync_fields import FIELDS, SPACES, Qso, Refused
from qsosync_modes import MODE_OF, NAMED_MODE_OF, WORDS_FOR_DIGITAL, is_digital
from qsosync_serials import SERIAL_NAMES, choose_serial, join_serial

EXTRA = "APP_QSOSYNC_"
# The standard fields that have a place in a QSO; ROWS_OF_ADIF maps these fields to our fields. "*"
# marks texts, which have a second field for characters beyond ASCII.
NAMES_OF_ADIF = """
    # @adif-names
""".replace(" *", "*").split()
TEXTS = [name[:-1] for name in NAMES_OF_ADIF if name.endswith("*")]
WITH_A_PLACE = [name.rstrip("*") for name in NAMES_OF_ADIF] + [name + "_INTL" for name in TEXTS]
ROWS_OF_ADIF: Tuple[Tuple[str, str, str, str], ...] = (
    # @adif-rows
)
# The letters that a standard field accepts, by the field's name. A field with choices has one
# letter per choice.
LETTERS_OF_ADIF = {name: letters for name, _, _, letters in ROWS_OF_ADIF}
BANDS_OF_ADIF: Tuple[Tuple[str, int, int], ...] = (
    # @adif-bands
)
# Band edges in MHz, by name.
OTHER_BANDS = {name.upper(): (Decimal(low) / 10**6, Decimal(high) / 10**6)
               for name, low, high in BANDS_OF_ADIF}
UNITS_OF_FREQUENCY = (("", 1), ("kHz", 1000), ("Hz", 10**6)) # units per MHz


class OtherBand(Refused):
    """A QSO on a band that the service does not support."""


def round_half_up(number: Decimal, places: int = 0) -> Decimal:
    """Rounds halves up, even below zero."""
    step = Decimal(1).scaleb(-places)
    return (number + step / 2).quantize(step, rounding=ROUND_FLOOR)


def read_number(text: str | None) -> Decimal | None:
    """Reads a decimal number with a point or a comma; None if invalid."""
    text = (text or "").replace(",", ".")
    if re.fullmatch(r"-?([0-9]{1,9}(\.[0-9]*)?|\.[0-9]+)", text):
        return Decimal(text)
    return None


def unify_lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").strip(SPACES)


class Record:
    """A record that becomes a QSO: its fields are read one by one, and lost values are reported."""

    def __init__(self, fields: dict[str, str]) -> None:
        self.fields = {name: value.strip(SPACES) for name, value in fields.items()}
        self.blank = {name for name, value in fields.items() if value and not value.strip(SPACES)}
        self.wrong = getattr(fields, "wrong", {})
        self.used: set[str] = set()
        self.losses: list[tuple[str, str]] = list(getattr(fields, "notices", {}).items())

    def take(self, name: str) -> str | None:
        """Returns the value of a field, or None if the field is missing or empty."""
        self.used.add(name)
        return self.fields.get(name) or None

    def take_text(self, name: str) -> str | None:
        """Returns the value of a field's variant for text beyond ASCII, or else of the field."""
        plain = self.take(name)
        return self.take(name + "_INTL") or plain

    def check_lengths(self, names: Iterable[str]) -> None:
        for name in names:
            if name in self.wrong:
                raise Refused(f"{name} {self.wrong[name]}")

    def lose(self, name: str, reason: str) -> None:
        self.losses.append((name, reason))

    def unknown(self) -> list[str]:
        return sorted(name for name in set(self.fields) - self.used
                      if self.fields[name] and not name.startswith(EXTRA))


def read_time(record: Record, qso: Qso) -> None:
    day, clock = record.take("QSO_DATE"), record.take("TIME_ON")
    if not day or not clock or not re.fullmatch("[0-9]{8}", day) or \
            not re.fullmatch("[0-9]{4}([0-9]{2})?", clock):
        raise Refused("QSO_DATE or TIME_ON is missing or wrong")
    try:
        time = datetime.datetime.strptime(day + clock.ljust(6, "0"), "%Y%m%d%H%M%S")
    except ValueError:
        raise Refused("QSO_DATE and TIME_ON are not a time") from None
    qso["qsoAt"] = time.isoformat() + ".000Z"


def channel_centre(number: int) -> Decimal:
    return Decimal("446.00625") + (number - 1) * Decimal("0.0125")


def channel_of(frequency: Decimal) -> int | None:
    """Returns the PMR446 channel within 1 kHz of a frequency in MHz, or None."""
    number = int(round_half_up((frequency - channel_centre(1)) / Decimal("0.0125"))) + 1
    distance = abs(frequency - channel_centre(number))
    if FIELDS["channel"].has_within(number) and distance <= Decimal("0.001"):
        return number
    return None


def is_on_band(qso: Qso, frequency: Decimal) -> bool:
    low, high = ("446", "446.2") if qso["band"] == "PMR446" else ("26", "28")
    return Decimal(low) <= frequency <= Decimal(high)


def frequency_of(qso: Qso) -> Decimal | None:
    """Returns the frequency in MHz; None if unknown."""
    if qso["band"] == "PMR446":
        return channel_centre(qso["channel"])
    return Decimal(qso["frequencyMhz"]) if qso.get("frequencyMhz") else None


def is_ours(frequency: Decimal) -> bool:
    return 26 <= frequency <= 28 or channel_of(frequency) is not None


def read_frequency(record: Record, name: str, fits: Iterable[Callable[[Decimal], bool]],
                   said: Decimal) -> Decimal:
    """Reads a frequency in MHz. Programs also write kHz and Hz; the first unit with a valid
    frequency counts."""
    for test in fits:
        for unit, number in UNITS_OF_FREQUENCY:
            if test(said / number):
                if unit:
                    record.lose(name, f"is read as {unit}")
                return said / number
    return said


def read_band(record: Record, qso: Qso, extras: Qso) -> Decimal | None:
    """Sets band, frequency and channel; returns the record's frequency. Our own fields name the
    band if the record does not."""
    text, band = record.take("FREQ"), (record.take("BAND") or "").upper()
    said = read_number(text)
    if said is None or said <= 0:
        text = text if said is None else None
        if band == "11M" or not band and extras.get("band") == "ELEVEN_METERS":
            qso["band"] = "ELEVEN_METERS"
            if text:
                record.lose("FREQ", "is not a frequency")
        elif not band and extras.get("band") == "PMR446" and extras.get("channel"):
            qso.update(band="PMR446", channel=extras["channel"])
        else:
            raise OtherBand(band) if band in OTHER_BANDS else \
                Refused("BAND and FREQ do not name a band")
        return None
    low, high = OTHER_BANDS.get(band, (0, 0))
    frequency = read_frequency(
        record, "FREQ", (lambda mhz: low <= mhz <= high and mhz > 0, is_ours), said)
    channel = channel_of(frequency)
    is_eleven = 26 <= frequency <= 28 and not (frequency == 28 and band == "10M")
    # Some programs call 27 MHz the 10 m band; PMR446 is inside 70 cm.
    agreed = ("70CM",) if channel else ("10M", "11M") if is_eleven else OTHER_BANDS
    if band in OTHER_BANDS or band == "11M":
        if band not in agreed:
            raise Refused("BAND and FREQ do not agree")
    if channel:
        qso.update(band="PMR446", channel=channel)
        return frequency_of(qso)
    if not is_eleven:
        raise OtherBand(band or text)
    rounded = round_half_up(frequency, 3)
    if rounded != frequency:
        record.lose("FREQ", f"was rounded to {rounded}")
    qso.update(band="ELEVEN_METERS", frequencyMhz=str(rounded))
    return frequency


def read_split(record: Record, frequency: Decimal | None, qso: Qso) -> None:
    text = record.take("FREQ_RX")
    receive = read_number(text)
    if receive is not None and receive <= 0 or not text:
        return
    if receive is None or frequency is None:
        record.lose("FREQ_RX", "is not a frequency" if receive is None
                    else "is given without FREQ")
        return
    receive = read_frequency(record, "FREQ_RX", (lambda mhz: is_on_band(qso, mhz),), receive)
    if not is_on_band(qso, receive):
        record.lose("FREQ_RX", "is on another band")
    else:
        qso["splitKhz"] = int(round_half_up((frequency - receive) * 1000))


def read_mode(record: Record, qso: Qso) -> str | None:
    """Sets the mode; returns the name of a digital mode, for the notes."""
    mode, submode = (record.take("MODE") or "").upper(), (record.take("SUBMODE") or "").upper()
    named = NAMED_MODE_OF.get(mode)
    if named not in ("FM", "AM", "CW") and submode in ("USB", "LSB"):
        qso["mode"] = submode
        return None
    if named not in ("FM", "AM", "CW", "SSB") and (submode in MODE_OF or named not in ("USB", "LSB")
            and (is_digital(submode) or submode in WORDS_FOR_DIGITAL)):
        mode, named = submode, NAMED_MODE_OF.get(submode)
    elif submode not in ("", "PCW"):
        record.lose("SUBMODE", "does not belong to the mode")
    if named:
        qso["mode"] = named
    elif is_digital(mode) or mode in WORDS_FOR_DIGITAL:
        qso["mode"] = "DIGITAL"
        return mode if is_digital(mode) else None
    elif mode:
        record.lose("MODE", "is not a mode of ADIF")
    return None


def read_locator(record: Record, name: str, field: str, qso: Qso) -> None:
    text = (record.take(name) or "")[:6]
    if name == "GRIDSQUARE" and record.take(name) in ("RR73", "rr73") and \
            qso.get("mode") == "DIGITAL":
        # RR73 ends a digital QSO, but some programs record it as the other station's square.
        record.lose(name, "is a message, not a locator")
        return
    if FIELDS[field].matches(text):
        qso[field] = text[:2].upper() + text[2:4] + text[4:].lower()
    elif text:
        record.lose(name, "is not a locator")


def read_coordinate(record: Record, name: str, field: str, letters: str, qso: Qso) -> None:
    text = (record.take(name) or "").upper()
    match = re.fullmatch(rf"([{letters}])([0-9]{{1,3}}) +([0-9]{{1,2}}(?:\.[0-9]+)?)", text)
    if match:
        thousandths = int(match[2]) * 60000 + int(round_half_up(Decimal(match[3]), 3) * 1000)
        value = (-thousandths if match[1] in "SW" else thousandths) / 60000
        if float(match[3]) < 60 and FIELDS[field].has_within(value):
            qso[field] = value
            return
    if text:
        record.lose(name, "is not a coordinate")


def read_power(record: Record, qso: Qso) -> None:
    text = record.take("TX_PWR")
    power = read_number(re.sub("\\s*w$", "", text or "", flags=re.IGNORECASE))
    if power is None or not FIELDS["txPowerW"].has_within(power):
        if text:
            record.lose("TX_PWR", "is not a power")
        return
    qso["txPowerW"] = int(round_half_up(power))
    if qso["txPowerW"] != power:
        record.lose("TX_PWR", f"was rounded to {qso['txPowerW']}")


def read_choice(record: Record, name: str, field: str, choices: Mapping[str, str | bool],
                qso: Qso) -> None:
    text = (record.take(name) or "").upper()
    if text in choices:
        qso[field] = choices[text]
    elif text:
        record.lose(name, "has a value that QSOsync does not store")


def choices_of(name: str, field: str) -> dict[str, str | bool]:
    """Returns our choice for each letter; if several choices have the same letter, the first choice
    counts."""
    pairs = list(zip(LETTERS_OF_ADIF[name], FIELDS[field].choices))
    return dict(reversed(pairs))


def read_qsl(record: Record, qso: Qso) -> None:
    for name, field in (("QSL_SENT", "qslSent"), ("QSL_RCVD", "qslReceived")):
        answers = {letter: letter in "YV" for letter in LETTERS_OF_ADIF[name]}
        read_choice(record, name, field, answers, qso)
    read_choice(record, "QSL_SENT_VIA", "qslVia", choices_of("QSL_SENT_VIA", "qslVia"), qso)
    via = (record.take("QSL_SENT_VIA") or "").upper()
    is_eqsl_sent = record.take("EQSL_QSL_SENT") in ("Y", "y")
    if is_eqsl_sent and not via:
        qso["qslVia"] = "EQSL"
    if is_eqsl_sent and via in ("", "E") and not record.take("QSL_SENT"):
        qso["qslSent"] = True


def split_notes(notes: str | None, mode: str | None,
                any_mode: bool = False) -> list[str | None]:
    """Splits notes into the parts that have their own ADIF fields, and the rest: name, QTH, mode,
    text. The mode must be a mode's name, unless any_mode allows any text."""
    parts, rest = [], notes or ""
    for label in ("Name", "QTH", "Mode"):
        line = re.match(rf"{label}: ([^\r\n]+)(?:\n(?!$)|$)", rest)
        if line and line[1] == line[1].strip(SPACES) and (
                label != "Mode" or mode == "DIGITAL" and (any_mode or is_digital(line[1]))):
            parts.append(line[1])
            rest = rest[line.end():]
        else:
            parts.append(None)
    return parts + [rest or None]


def join_notes(name: str | None, qth: str | None, mode: str | None, text: str | None) -> str:
    lines = [f"{label}: {value}" for label, value in (("Name", name), ("QTH", qth), ("Mode", mode))
             if value]
    return "\n".join(lines + [text] if text else lines)


def read_notes(record: Record, mode: str | None, qso: Qso) -> None:
    """Reads the notes. A part that would make the notes too long is omitted, and the other parts
    are kept."""
    notes, comment = (unify_lines(record.take_text(name) or "") for name in ("NOTES", "COMMENT"))
    parts: list[str | None] = [None] * 4
    for place, name, text in ((2, "MODE", mode), (0, "NAME", one_line(record.take_text("NAME"))),
                              (1, "QTH", one_line(record.take_text("QTH"))), (3, "NOTES", notes),
                              (3, "COMMENT", comment if comment != notes else "")):
        if not text:
            continue
        fuller = list(parts)
        fuller[place] = "\n\n".join(part for part in (parts[place], text) if part)
        if "\0" in text:
            record.lose(name, "contains the character U+0000")
        elif len(join_notes(*fuller)) > FIELDS["notes"].maximum:
            record.lose(name, "makes the notes too long")
        else:
            parts = fuller
    if any(parts):
        read_text(record, "NOTES", "notes", join_notes(*parts), qso)


def one_line(text: str | None) -> str | None:
    return text and re.sub("\r\n|\r|\n", " ", text)


def read_text(record: Record, name: str, field: str, text: str | None, qso: Qso) -> None:
    if text and len(text) > FIELDS[field].maximum:
        record.lose(name, f"has more than {FIELDS[field].maximum} characters")
    elif text and "\0" in text:
        record.lose(name, "contains the character U+0000")
    elif text:
        qso[field] = text


def read_report(record: Record, name: str, field: str, qso: Qso) -> None:
    """Reads the report, with the record's serial."""
    names = SERIAL_NAMES[name]
    is_string, serial = choose_serial(*(record.fields.get(part) or None for part in names))
    joined = join_serial(record.fields.get(name), serial)
    read_text(record, name, field, record.take(name), qso)
    if not joined or field not in qso:
        return
    record.take(names[is_string])
    if len(joined) > FIELDS[field].maximum:
        record.lose(names[is_string], "makes the report too long")
    else:
        qso[field] = joined


def read_standard(record: Record, extras: Qso) -> Qso:
    """Reads the QSO from the standard fields. Fields that the record lacks are missing from the
    QSO."""
    qso: Qso = {}
    record.check_lengths(("FREQ", "BAND"))
    frequency = read_band(record, qso, extras)
    record.check_lengths(WITH_A_PLACE)
    read_time(record, qso)
    mode_name = read_mode(record, qso)
    read_split(record, frequency, qso)
    station = record.take("STATION_CALLSIGN")
    if not station or station == record.fields.get("OPERATOR"):
        station = record.take("OPERATOR")
    read_text(record, "STATION_CALLSIGN", "operatorCallsign", station, qso)
    for name, field, form, _ in ROWS_OF_ADIF:
        if form == "text":
            text = record.take_text(name) if name in TEXTS else record.take(name)
            read_text(record, name, field, text, qso)
        elif form == "report":
            read_report(record, name, field, qso)
        elif form == "locator":
            read_locator(record, name, field, qso)
    read_notes(record, mode_name, qso)
    read_coordinate(record, "LAT", "dxLat", "NS", qso)
    read_coordinate(record, "LON", "dxLng", "EW", qso)
    if qso.get("dxLat") == 0 == qso.get("dxLng"):
        del qso["dxLat"], qso["dxLng"]
        record.lose("LAT", "is 0 like LON, which means that the place is unknown")
    read_power(record, qso)
    read_qsl(record, qso)
    read_choice(record, "ANT_PATH", "path", choices_of("ANT_PATH", "path"), qso)
    return qso


