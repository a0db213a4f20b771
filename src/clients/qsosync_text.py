# ADIF text: a file's records of fields, whatever program wrote it, and fields as text.
# A part of qsosync.py and udp-bridge.py; what the fields mean is told in qsosync_standard.py.
import itertools
import re

TAG = re.compile(rb"<([^<>:]+)(?::([^<>:]*)(?::[^<>]*)?)?>")
SWALLOWED = re.compile(rb"<eor>|<[a-z]\w*:\d+(:\w)?>", re.IGNORECASE)
COMMENT = re.compile(rb"[;#(){}\[\]*!|,]|//|--")
FIELDS_WITH_A_PLACE = set("""QSO_DATE TIME_ON BAND FREQ FREQ_RX MODE SUBMODE CALL STATION_CALLSIGN OPERATOR GRIDSQUARE
    MY_GRIDSQUARE LAT LON TX_PWR ANT_PATH RST_SENT RST_RCVD QSL_SENT QSL_RCVD QSL_SENT_VIA EQSL_QSL_SENT NAME NAME_INTL
    QTH QTH_INTL NOTES NOTES_INTL COMMENT COMMENT_INTL MY_RIG MY_RIG_INTL MY_ANTENNA MY_ANTENNA_INTL""".split())
END_OF_RECORD = re.compile(rb"<eor>", re.IGNORECASE)
END_OF_HEADER = re.compile(rb"<eoh>", re.IGNORECASE)


class Refused(Exception):
    """A record that cannot be a QSO of this service."""


def decode(value):
    """Text of a file that may be in UTF-8, Windows-1252 or ISO 8859-1."""
    for encoding in ("utf-8", "cp1252", "latin-1"):
        try:
            return value.decode(encoding)
        except UnicodeDecodeError:
            pass


def measure_value(data, start, length, name):
    """Where a value ends. Its length counts bytes; where these do not fit, what follows tells: characters
    as UTF-8 or as programs in Java count them, in a file whose line ends were two bytes long, too."""
    def fits(end):
        return end <= len(data) and not SWALLOWED.search(data, start, end) and \
            (end == len(data) or data[end:end + 1] in b"< \t\r\n\0")

    if fits(start + length):
        return start + length
    record = END_OF_RECORD.search(data, start, start + 4 * length)
    text = data[start:min(start + 4 * length, record.start() if record else len(data))].decode("utf-8", "replace")
    for weigh in (lambda character: 1, lambda character: 2 if character > "\uffff" else 1,
                  lambda character: 1 + (character == "\n")):
        weights = itertools.accumulate(map(weigh, text), initial=0)
        count = next((place for place, weight in enumerate(weights) if weight >= length), None)
        if count is not None and fits(start + len(text[:count].encode())):
            return start + len(text[:count].encode())
    # Text follows at once: a comment, or the rest of a value that nobody reads.
    end = start + length
    if end < len(data) and b"<" not in data[start:end] and (
            COMMENT.match(data, end) or name not in FIELDS_WITH_A_PLACE):
        return end
    raise Refused("a length is wrong")


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
                end = measure_value(data, position, int(tag[2]), name)
                fields[name] = decode(data[position:end])
                position = end
            except Refused as reason:
                # The rest of this record is passed over, its neighbours are not.
                trouble = f"{name}: {reason}" if name not in str(reason) else str(reason)
                end = END_OF_RECORD.search(data, position)
                position = end.start() if end else len(data)
    if (fields or trouble) and not is_growing:
        yield line, None if trouble else fields, trouble


def defuse(text):
    """Text without control characters, and without what a program would take for a field. A line ends in
    two bytes, as ADIF wants it."""
    text = re.sub("<(?=[A-Za-z])", "(", text)
    return re.sub("[\x00-\x1f\x7f]", lambda control: "\r\n" if control[0] == "\n" else " ", text)


def read_exporter(data):
    """The callsign of the member whose log a file of ours holds; None for other files."""
    head = END_OF_HEADER.search(data)
    field = head and re.search(rb"<APP_QSOSYNC_CALLSIGN:(\d{1,2})>", data[:head.start()], re.IGNORECASE)
    return decode(data[field.end():field.end() + int(field[1])]) if field else None


def format_field(name, value):
    """A field, followed by as many spaces as a program takes in that counts characters and not bytes."""
    value = str(value)
    size = len(value.encode())
    return f"<{name}:{size}>{value} " + " " * (size - len(value))
