# ADIF files and QSOs of the API: the records of a file, the QSO that a record is, and a file of QSOs.
# A part of qsosync.py and udp-bridge.py, which leaves files and the service to them. The mapping and
# the identity of a record are those of "qsosync-admin import".
import datetime
import decimal
import re
import urllib.parse
import uuid

NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "https://qsosync.invalid/adif")
EXTRA = "APP_QSOSYNC_"
TEXT_LIMITS = {"callsignWorked": 20, "operatorCallsign": 20, "rstSent": 10, "rstReceived": 10,
               "notes": 2000, "radio": 80, "antenna": 80}
# What the service trims texts of.
SPACES = "".join(map(chr, (*range(9, 14), 32, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029,
                           0x202F, 0x205F, 0x3000, 0xFEFF)))
PLAIN_MODES = ("FM", "AM", "SSB", "USB", "LSB", "CW")
# Every field that a client may send, with what it is where a QSO has no value.
EMPTY_QSO = {name: None for name in (
    "band qsoAt frequencyMhz channel ctcssTone dcsCode mode callsignWorked operatorCallsign "
    "dxLocator dxLat dxLng txPowerW myLocator splitKhz path qsoStatus rstSent rstReceived qslVia "
    "notes radio antenna").split()}
EMPTY_QSO.update(qslSent=False, qslReceived=False)

TAG = re.compile(rb"<([^<>:]+)(?::([^<>:]*)(?::[^<>]*)?)?>")
SWALLOWED = re.compile(rb"<eor>|<[a-z]\w*:\d+(:\w)?>", re.IGNORECASE)
END_OF_RECORD = re.compile(rb"<eor>", re.IGNORECASE)
END_OF_HEADER = re.compile(rb"<eoh>", re.IGNORECASE)


class Refused(Exception):
    """A record that cannot be a QSO of this service."""


class OtherBand(Refused):
    """A QSO on a band that the service does not keep."""


# -- the records of a file -------------------------------------------------------------------------

def decode(value):
    """Text of a file that may be in UTF-8, Windows-1252 or ISO 8859-1."""
    for encoding in ("utf-8", "cp1252", "latin-1"):
        try:
            return value.decode(encoding)
        except UnicodeDecodeError:
            pass


def measure_value(data, start, length):
    """Where a value ends: its length counts bytes, or characters where bytes do not fit."""
    def fits(end):
        return end <= len(data) and (end == len(data) or data[end:end + 1] in b"< \t\r\n\0")

    end = start + length
    if not fits(end):
        text = data[start:start + 4 * length].decode("utf-8", "ignore")[:length]
        end = start + len(text.encode())
    if not fits(end) or SWALLOWED.search(data, start, end):
        raise Refused("a length is wrong")
    return end


def read_records(data, is_growing=False):
    """Yields (line, fields by upper-case name, None), or (line, None, why it is not understood). A last
    record without its end is left out where a program may just be writing it."""
    position = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    if data[position:position + 1] != b"<":
        header = END_OF_HEADER.search(data, position)
        position = header.end() if header else position
    fields, line, counted, trouble = {}, 1, 0, None
    while tag := TAG.search(data, position):
        if not fields and not trouble:
            line += data.count(b"\n", counted, tag.start())
            counted = tag.start()
        position = tag.end()
        name = decode(tag[1]).strip().upper()
        if name == "EOR":
            if fields or trouble:
                yield line, None if trouble else fields, trouble
            fields, trouble = {}, None
        elif name == "EOH":
            fields, trouble = {}, None
        elif tag[2] is not None and not trouble:
            try:
                if not re.fullmatch(rb"\s*\d{1,9}\s*", tag[2]):
                    raise Refused(f"the length of {name} is none")
                end = measure_value(data, position, int(tag[2]))
                fields[name] = decode(data[position:end])
                position = end
            except Refused as reason:
                # The rest of this record is passed over, its neighbours are not.
                trouble = f"{name}: {reason}" if name not in str(reason) else str(reason)
                end = END_OF_RECORD.search(data, position)
                position = end.start() if end else len(data)
    if (fields or trouble) and not is_growing:
        yield line, None if trouble else fields, trouble


# -- the QSO that a record is ----------------------------------------------------------------------

def round_half_up(number, places=0):
    step = decimal.Decimal(1).scaleb(-places)
    return number.quantize(step, rounding=decimal.ROUND_HALF_UP)


def read_number(text):
    """A decimal number, with a comma as well; None where it is none."""
    text = (text or "").replace(",", ".")
    if re.fullmatch(r"[+-]?(\d{1,9}(\.\d{0,9})?|\.\d{1,9})", text):
        return decimal.Decimal(text)
    return None


def normalise_callsign(callsign):
    upper = re.sub("[a-z]", lambda letter: letter[0].upper(), callsign or "")
    return re.sub("[ .-]", "", upper)


class Record:
    """A record on its way to a QSO: fields are taken, and what is lost is told."""

    def __init__(self, fields):
        self.fields = {name: value.strip(SPACES) for name, value in fields.items()}
        self.used = set()
        self.losses = []

    def take(self, name):
        """The value of a field, None where it is absent or empty."""
        self.used.add(name)
        return self.fields.get(name) or None

    def take_text(self, name):
        """A field or its form in other scripts."""
        plain = self.take(name)
        return self.take(name + "_INTL") or plain

    def take_extra(self, name):
        """The value of one of our own fields: None where it is absent, empty where it means null."""
        self.used.add(EXTRA + name)
        value = self.fields.get(EXTRA + name)
        return None if value is None else urllib.parse.unquote(value)

    def lose(self, name, reason):
        self.losses.append((name, reason))

    def unknown(self):
        return sorted(name for name in set(self.fields) - self.used if not name.startswith(EXTRA))


def snake(name):
    return re.sub("([A-Z])", r"_\1", name).upper()


def read_time(record):
    day, clock = record.take("QSO_DATE"), record.take("TIME_ON")
    if not day or not clock or not re.fullmatch(r"\d{8}", day) or \
            not re.fullmatch(r"\d{4}(\d{2})?", clock):
        raise Refused("QSO_DATE or TIME_ON is missing or wrong")
    try:
        time = datetime.datetime.strptime(day + clock.ljust(6, "0"), "%Y%m%d%H%M%S")
    except ValueError:
        raise Refused("QSO_DATE and TIME_ON are not a time") from None
    standard = time.isoformat()
    exact = record.take_extra("QSO_AT") or ""
    if re.fullmatch(r"[0-9T:-]{17}[0-5][0-9]\.[0-9]{3}Z", exact) and exact.startswith(standard[:12 + len(clock)]):
        return exact
    return standard + ".000Z"


def channel_of(frequency):
    """The PMR446 channel within 1 kHz of a frequency in MHz, or None."""
    number = int(round_half_up((frequency - decimal.Decimal("446.00625")) / decimal.Decimal("0.0125"))) + 1
    if 1 <= number <= 16 and abs(frequency - channel_centre(number)) <= decimal.Decimal("0.001"):
        return number
    return None


def channel_centre(number):
    return decimal.Decimal("446.00625") + (number - 1) * decimal.Decimal("0.0125")


def read_band(record, qso):
    """Band, frequency, channel; returns the frequency of the file."""
    text, band = record.take("FREQ"), (record.take("BAND") or "").upper()
    ours, channel = record.take_extra("BAND"), record.take_extra("CHANNEL")
    frequency = read_number(text)
    if frequency is not None and frequency <= 0:
        text = frequency = None
    if frequency is None:
        if band == "11M" or not band and ours == "ELEVEN_METERS":
            qso["band"] = "ELEVEN_METERS"
            if text:
                record.lose("FREQ", "is not a frequency")
        elif not band and ours == "PMR446" and re.fullmatch(r"\d{1,2}", channel or ""):
            qso.update(band="PMR446", channel=int(channel))
        else:
            raise OtherBand(band) if band else Refused("BAND and FREQ are missing")
        return None
    number = channel_of(frequency)
    if number:
        qso.update(band="PMR446", channel=number)
        return channel_centre(number)
    if not 26 <= frequency <= 28 or frequency == 28 and band == "10M":
        raise OtherBand(band or text)
    rounded = round_half_up(frequency, 3)
    if rounded != frequency:
        record.lose("FREQ", f"was rounded to {rounded}")
    qso.update(band="ELEVEN_METERS", frequencyMhz=str(rounded))
    return frequency


def read_mode(record, qso):
    """Returns the line of the notes that keeps the name of a digital mode."""
    mode, submode = (record.take("MODE") or "").upper(), (record.take("SUBMODE") or "").upper()
    ours = record.take_extra("MODE")
    if mode == "SSB" and submode in ("USB", "LSB"):
        qso["mode"] = submode
    elif mode in PLAIN_MODES:
        qso["mode"] = mode
    elif mode:
        qso["mode"] = "DIGITAL"
        return [f"Mode: {submode or mode}"]
    elif ours == "DIGITAL":
        qso["mode"] = ours
    return []


def read_locator(record, name, field, qso):
    text = record.take(name)
    if not text:
        return
    text = text[:6] if len(text) > 6 else text
    if re.fullmatch(r"[A-Ra-r]{2}[0-9]{2}([A-Xa-x]{2})?", text):
        qso[field] = text[:2].upper() + text[2:4] + text[4:].lower()
    else:
        record.lose(name, "is not a locator")


def read_coordinate(record, name, field, letters, limit, qso):
    text, exact = record.take(name), record.take_extra(snake(field))
    match = re.fullmatch(rf"([{letters}])(\d{{3}}) (\d{{2}}\.\d{{1,4}})", (text or "").upper())
    if not match:
        if text:
            record.lose(name, "is not a coordinate")
        return
    value = round(int(match[2]) + float(match[3]) / 60, 6)
    value = -value if match[1] in "SW" else value
    try:
        if exact and abs(float(exact) - value) <= 0.00055 / 60:
            value = float(exact)
    except ValueError:
        pass
    if abs(value) <= limit:
        qso[field] = value
    else:
        record.lose(name, "is out of range")


def read_split(record, frequency, qso):
    text, exact = record.take("FREQ_RX"), record.take_extra("SPLIT_KHZ")
    receive = read_number(text)
    if receive is None or frequency is None:
        if exact and not text and frequency is None and re.fullmatch(r"-?\d{1,5}", exact):
            qso["splitKhz"] = int(exact)
        elif text:
            record.lose("FREQ_RX", "is not a frequency" if frequency is not None else "stands without FREQ")
        return
    split = int(round_half_up((frequency - receive) * 1000))
    if exact and re.fullmatch(r"-?\d{1,5}", exact) and abs(int(exact) - (frequency - receive) * 1000) <= 1:
        qso["splitKhz"] = int(exact)
    elif abs(split) > 99999:
        record.lose("FREQ_RX", "is too far from FREQ")
    elif split:
        qso["splitKhz"] = split


def read_power(record, qso):
    text = record.take("TX_PWR")
    power = read_number(text)
    if power is None or not 0 <= power <= 100000:
        if text:
            record.lose("TX_PWR", "is not a power")
        return
    qso["txPowerW"] = int(round_half_up(power))
    if qso["txPowerW"] != power:
        record.lose("TX_PWR", f"was rounded to {qso['txPowerW']}")


def read_choice(record, name, field, choices, qso):
    text = (record.take(name) or "").upper()
    if text in choices:
        qso[field] = choices[text]
    elif text:
        record.lose(name, "has a value that has no place")


def read_qsl(record, qso):
    read_choice(record, "QSL_SENT", "qslSent", {"Y": True, "N": False, "Q": False, "R": False, "I": False}, qso)
    read_choice(record, "QSL_RCVD", "qslReceived",
                {"Y": True, "V": True, "N": False, "R": False, "I": False}, qso)
    read_choice(record, "QSL_SENT_VIA", "qslVia", {"D": "DIRECT", "B": "BUREAU", "E": "EQSL"}, qso)
    if record.take_extra("QSL_VIA") == "ECARD" and qso.get("qslVia") == "EQSL":
        qso["qslVia"] = "ECARD"
    if qso.get("qslVia") == "EQSL":
        record.take("EQSL_QSL_SENT")


def unify_lines(text):
    return text.replace("\r\n", "\n").replace("\r", "\n").strip(SPACES)


def split_notes(notes, mode):
    """What has a field of its own in ADIF, and the rest of the notes: name, QTH, mode, text."""
    parts, rest = [], notes or ""
    for label in ("Name", "QTH", "Mode"):
        line = re.match(rf"{label}: ([^\r\n]+)(?:\n|$)", rest)
        if line and (label != "Mode" or mode == "DIGITAL" and line[1] not in PLAIN_MODES and
                     re.fullmatch("[A-Z0-9-]+", line[1])):
            parts.append(line[1])
            rest = rest[line.end():]
        else:
            parts.append(None)
    return parts + [rest]


def read_notes(record, lines, mode):
    """The notes: a line each for what has no field of its own, then the text."""
    lines = [f"{label}: {value}" for label, value in
             (("Name", record.take_text("NAME")), ("QTH", record.take_text("QTH"))) if value] + lines
    texts = [record.take_text("NOTES"), record.take_text("COMMENT")]
    if texts[0] == texts[1]:
        texts.pop()
    text = "\n\n".join(text for text in texts if text)
    notes = unify_lines("\n".join(lines + [text] if text else lines))
    exact = record.take_extra("NOTES")
    # White space moves when the lines are taken apart and put together.
    return exact if exact and defuse(exact).split() == notes.split() else notes


def set_text(record, name, field, text, qso):
    """A free text, which gives way to our own field where that says the same exactly."""
    exact = record.take_extra(snake(field))
    if exact and defuse(exact).strip(SPACES) == text or exact == "" and field == "operatorCallsign":
        text = exact
    if text and len(text) > TEXT_LIMITS[field]:
        record.lose(name, f"has more than {TEXT_LIMITS[field]} characters")
    elif text and "\0" in text:
        record.lose(name, "holds the character U+0000")
    elif text:
        qso[field] = text


def read_qso(fields):
    """(QSO with the fields that the record holds, its losses, names of fields without a place).
    The QSO has a clientId where the record has one of ours."""
    record = Record(fields)
    qso = {"qsoAt": read_time(record)}
    frequency = read_band(record, qso)
    lines = read_mode(record, qso)
    read_split(record, frequency, qso)
    station, operator = record.take("STATION_CALLSIGN"), record.take("OPERATOR")
    for name, field, text in (
            ("CALL", "callsignWorked", record.take("CALL")),
            ("STATION_CALLSIGN", "operatorCallsign", station or operator),
            ("RST_SENT", "rstSent", record.take("RST_SENT")),
            ("RST_RCVD", "rstReceived", record.take("RST_RCVD")),
            ("MY_RIG", "radio", record.take_text("MY_RIG")),
            ("MY_ANTENNA", "antenna", record.take_text("MY_ANTENNA")),
            ("NOTES", "notes", read_notes(record, lines, qso.get("mode")))):
        set_text(record, name, field, text, qso)
    read_locator(record, "GRIDSQUARE", "dxLocator", qso)
    read_locator(record, "MY_GRIDSQUARE", "myLocator", qso)
    read_coordinate(record, "LAT", "dxLat", "NS", 90, qso)
    read_coordinate(record, "LON", "dxLng", "EW", 180, qso)
    read_power(record, qso)
    read_qsl(record, qso)
    read_choice(record, "ANT_PATH", "path", {"S": "SP", "L": "LP", "G": None, "O": None}, qso)
    read_choice(record, EXTRA + "QSO_STATUS", "qsoStatus", {"HRD": "HRD", "WKD": "WKD", "CFM": "CFM"}, qso)
    if qso["band"] == "PMR446":
        for field, pattern in (("ctcssTone", r"\d{2,3}\.\d"), ("dcsCode", r"D?[0-7]{3}[NI]?")):
            exact = record.take_extra(snake(field))
            if exact and re.fullmatch(pattern, exact):
                qso[field] = exact
    client_id = record.take_extra("CLIENT_ID")
    if client_id and re.fullmatch(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", client_id):
        qso["clientId"] = client_id.lower()
    return qso, record.losses, record.unknown()


class Identities:
    """Gives the records of one file clientIds that come out the same each time the file is read."""

    def __init__(self, member_callsign):
        self.member_callsign = member_callsign
        self.seen = {}

    def of_record(self, qso):
        """The clientIds of a record in the order of preference: its own, where it has one; the one that
        everybody gives it; one for this member, where another member's QSO has that."""
        station = qso.get("operatorCallsign") or self.member_callsign
        key = "|".join((normalise_callsign(station), normalise_callsign(qso.get("callsignWorked")),
                        qso["band"], qso["qsoAt"][:16]))
        self.seen[key] = self.seen.get(key, 0) + 1
        names = [f"{key}|{self.seen[key]}"]
        names.append(f"{names[0]}|{normalise_callsign(self.member_callsign)}")
        own = [qso["clientId"]] if "clientId" in qso else []
        return own + [str(uuid.uuid5(NAMESPACE, name)) for name in names]


def merge(stored, qso):
    """The whole QSO that a record gives, beside the stored one or None; without the clientId."""
    read = {field: value for field, value in qso.items() if field in EMPTY_QSO}
    if "clientId" in qso or stored is None:
        return {**EMPTY_QSO, **read}
    merged = {field: stored.get(field) for field in EMPTY_QSO}
    if read["qsoAt"][:16] == (merged["qsoAt"] or "")[:16] and read["qsoAt"][17:] == "00.000Z":
        del read["qsoAt"]
    merged.update(read)
    return merged


# -- a file of QSOs --------------------------------------------------------------------------------

def defuse(text):
    """Text that no program takes for a field."""
    return re.sub("<(?=[A-Za-z])", "(", text)


def format_field(name, value):
    value = str(value)
    return f"<{name}:{len(value.encode())}>{value} "


def format_coordinate(value, letters):
    minutes = round_half_up(decimal.Decimal(repr(abs(value))) * 60, 3)
    return f"{letters[value < 0]}{int(minutes // 60):03d} {minutes % 60:06.3f}"


def standard_fields(qso):
    """The fields of ADIF that tell of a QSO, as other programs read them."""
    mode = qso.get("mode")
    name, qth, digital, notes = split_notes(qso.get("notes"), mode)
    submodes = {"USB": "SSB", "LSB": "SSB", "FT4": "MFSK", "JS8": "MFSK"}
    name_of_mode = digital if mode == "DIGITAL" else mode
    frequency = channel_centre(qso["channel"]) if qso["band"] == "PMR446" else \
        decimal.Decimal(qso["frequencyMhz"]) if qso.get("frequencyMhz") else None
    split = qso.get("splitKhz")
    via = qso.get("qslVia")
    yield from (
        ("QSO_DATE", qso["qsoAt"][:10].replace("-", "")), ("TIME_ON", qso["qsoAt"][11:19].replace(":", "")),
        ("BAND", "11m" if qso["band"] == "ELEVEN_METERS" else None), ("FREQ", frequency),
        ("FREQ_RX", None if split is None or frequency is None else frequency - decimal.Decimal(split) / 1000),
        ("MODE", submodes.get(name_of_mode, name_of_mode)),
        ("SUBMODE", name_of_mode if name_of_mode in submodes else None),
        ("CALL", qso.get("callsignWorked")), ("STATION_CALLSIGN", qso.get("operatorCallsign")),
        ("RST_SENT", qso.get("rstSent")), ("RST_RCVD", qso.get("rstReceived")),
        ("GRIDSQUARE", qso.get("dxLocator")), ("MY_GRIDSQUARE", qso.get("myLocator")),
        ("LAT", None if qso.get("dxLat") is None else format_coordinate(qso["dxLat"], "NS")),
        ("LON", None if qso.get("dxLng") is None else format_coordinate(qso["dxLng"], "EW")),
        ("TX_PWR", qso.get("txPowerW")), ("ANT_PATH", {"SP": "S", "LP": "L"}.get(qso.get("path"))),
        ("QSL_SENT", "Y" if qso.get("qslSent") else "N"), ("QSL_RCVD", "Y" if qso.get("qslReceived") else "N"),
        ("QSL_SENT_VIA", via and via[0]), ("EQSL_QSL_SENT", "Y" if via == "EQSL" and qso.get("qslSent") else None),
        ("NAME", name), ("QTH", qth), ("NOTES", notes),
        ("MY_RIG", qso.get("radio")), ("MY_ANTENNA", qso.get("antenna")))


def format_record(qso, member_callsign):
    """A record that gives the QSO back exactly: beside the standard fields, ours where those do not."""
    standard = {"STATION_CALLSIGN": member_callsign}
    standard.update((name, defuse(str(value))) for name, value in standard_fields(qso) if value not in (None, ""))
    read, _, _ = read_qso(standard)
    extra = {"CLIENT_ID": qso.get("clientId"), "BAND": qso["band"]}
    for field, empty in EMPTY_QSO.items():
        value = qso.get(field, empty)
        if value != read.get(field, empty):
            extra[snake(field)] = "" if value is None else value
    return "".join(format_field(name, value) for name, value in standard.items()) + "".join(
        format_field(EXTRA + name, re.sub(r"[%<\x00-\x1f]", lambda character: f"%{ord(character[0]):02X}", str(value)))
        for name, value in extra.items() if value is not None) + "<EOR>\n"


def format_file(qsos, member_callsign):
    """The bytes of an ADIF file, in the order of time."""
    head = "Log of a QSOsync service\n" + format_field("ADIF_VER", "3.1.4") + \
        format_field("PROGRAMID", "QSOsync") + "<EOH>\n"
    return (head + "".join(format_record(qso, member_callsign) for qso in sorted(
        qsos, key=lambda qso: (qso["qsoAt"], qso.get("clientId") or "")))).encode()
