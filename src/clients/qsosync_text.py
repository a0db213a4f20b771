# ADIF text: a file's records of fields, whatever program wrote it, and fields as text.
# A part of qsosync.py and udp-bridge.py; qsosync_standard.py knows what the fields mean. Lengths
# and tags are read as "qsosync-admin import" reads them.
from __future__ import annotations

import codecs
import re
from typing import Callable, Dict, Iterator, Optional, Tuple

END_OF_RECORD = re.compile(rb"<eor>", re.IGNORECASE)
END_OF_HEADER = re.compile(rb"<eoh>", re.IGNORECASE)
TAG_MAX = 160
NAME = re.compile(rb"[^\x00-\x1f<>:{}]{1,64}")
WORD = re.compile(rb"[A-Za-z_][A-Za-z_0-9]*")
MARK = re.compile(rb"eof|app_.+_eof", re.IGNORECASE)
SPACE = re.compile(rb"[\t-\r ]*")
TAG_START = re.compile(rb"<[A-Za-z_]")
TAG_WITH_LENGTH = re.compile(rb"<[A-Za-z_][A-Za-z_0-9]*:[0-9]")
COMMENT = re.compile(rb"[;#(){}\[\]*!|,]|//|--")
ODD_BYTES = re.compile(rb"[\x80-\xff\n]")
ADX = re.compile(rb"(\xef\xbb\xbf)?\s*(<\?xml.*?)?<adx>", re.IGNORECASE | re.DOTALL)
LENGTH_MAX = 1048576
VALUE_WITH_MARK_MAX = 8192
FREE_TEXTS = set("""NAME NAME_INTL QTH QTH_INTL NOTES NOTES_INTL COMMENT COMMENT_INTL MY_RIG
    MY_RIG_INTL MY_ANTENNA MY_ANTENNA_INTL""".split())
# What follows a value: text at once; after white space; a tag or nothing more
GLUED, SPACED, EXACT = 1, 2, 3


class Refused(Exception):
    """A record that cannot be a QSO of this service."""


class Fields(Dict[str, str]):
    """The values of a record by upper-case name, and why the lengths of some are wrong."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong: dict[str, str] = {}


def shown(text: object) -> str:
    """What somebody else has written, for a terminal: in one line, of characters that are seen."""
    return "".join(letter if letter.isprintable() else "?" for letter in str(text))


def read_odd_byte(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    byte = error.object[error.start:error.start + 1]
    try:
        return byte.decode("cp1252"), error.start + 1
    except UnicodeDecodeError:
        return byte.decode("latin-1"), error.start + 1


# The line of a record, its values, and where it has none, what is wrong with it.
FoundRecord = Tuple[int, Optional[Fields], Optional[str]]
# What a byte after another takes of a length.
Weight = Callable[[int, int], int]
codecs.register_error("qsosync-1252", read_odd_byte)


def decode(value: bytes) -> str:
    """Text of a file that may be in UTF-8, Windows-1252 or ISO 8859-1, or in several of them."""
    return value.decode("utf-8", "qsosync-1252")


# -- lengths ---------------------------------------------------------------------------------------

def find_mark(data: bytes, mark: re.Pattern[bytes], start: int, end: int | None = None) -> int:
    """Where the first <EOR> or <EOH> begins, or where the data end."""
    end = len(data) if end is None else end
    found = mark.search(data, start, end)
    return found.start() if found else end


def judge_end(data: bytes, end: int, mark: int) -> int:
    """What follows a value that ends there; 0 where no value can."""
    if end > len(data):
        return 0
    space = SPACE.match(data, end)
    after = space.end() if space else end
    if after == len(data) or TAG_START.match(data, after):
        fit = EXACT
    else:
        fit = SPACED if after > end else GLUED
    # A value may hold an <EOR>, but not as its last word.
    if end > mark and (fit != EXACT or mark + 5 > end or SPACE.fullmatch(data, mark + 5, end)):
        return 0
    return fit


def count_bytes(byte: int, _: int) -> int:
    return 1


def count_characters(byte: int, _: int) -> int:
    return 0 if byte & 0xC0 == 0x80 else 1


def count_utf16(byte: int, _: int) -> int:
    return 2 if byte >= 0xF0 else count_characters(byte, _)


def with_long_lines(count: Weight) -> Weight:
    """The file's CR LF have become LF since it was written."""
    return lambda byte, before: 2 if byte == 10 and before != 13 else count(byte, before)


# Beside bytes: (what a byte takes of the length, whether characters are counted).
UNITS = ((count_characters, True), (count_utf16, True), (with_long_lines(count_bytes), False),
         (with_long_lines(count_characters), True))


def find_end(data: bytes, start: int, length: int, mark: int, weigh: Weight) -> int | None:
    """The end of a value of so many units; None where it is not before the mark."""
    used, before, place = 0, 0, start
    for place in range(start, mark + 1):
        weight = weigh(data[place], before) if place < mark else 1
        if used + weight > length or used == length and weight:
            break
        if place == mark:
            break
        used += weight
        before = data[place]
    return place if used == length else None


def is_utf8(value: bytes) -> bool:
    try:
        value.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def measure_value(data: bytes, start: int, length: int, mark: int) -> tuple[int, int]:
    """(where a value ends, what follows it). Its length counts bytes; where these do not fit, what
    follows tells: characters as UTF-8 or as programs in Java count them, in a file whose line ends
    were two bytes long, too."""
    end, best = start + length, 0
    if end > mark and length > VALUE_WITH_MARK_MAX and mark < len(data):
        raise Refused("is longer than its record")
    best = judge_end(data, end, mark)
    if best != EXACT and ODD_BYTES.search(data, start, min(start + length, mark)):
        for weigh, counts_characters in UNITS:
            candidate = find_end(data, start, length, mark, weigh)
            if candidate is None or counts_characters and not is_utf8(data[start:candidate]):
                continue
            fit = judge_end(data, candidate, mark)
            if fit > best:
                end, best = candidate, fit
            if best == EXACT:
                break
    if not best:
        raise Refused("is longer than its record" if mark < len(data)
                      else "is longer than the file")
    if best == GLUED and TAG_START.search(data, start, end + 1):
        raise Refused("has a length that ends within another field")
    return end, best


# -- tags ------------------------------------------------------------------------------------------

def read_tag(data: bytes, at: int) -> tuple[str | None, int | None, int]:
    """(name in upper case, length or None, where the tag ends) of the tag whose < is there. The
    name is None where it is no tag; Refused, with the name and the end in it, where its length is
    wrong."""
    close = data.find(b">", at + 1, at + 1 + TAG_MAX)
    tag = data[at + 1:close if close >= 0 else at + 1 + TAG_MAX]
    name, colon, rest = tag.partition(b":")
    name = name.strip(b"\t\n\v\f\r ") if colon else name
    length = rest.partition(b":")[0].strip(b"\t\n\v\f\r ")
    # What does not end within the bound is text, unless it begins as a tag with a length does.
    is_long = colon and len(tag) == TAG_MAX and rest.strip(b"\t\n\v\f\r ")[:1] in b"-0123456789"
    if close < 0 and not is_long or not NAME.fullmatch(name):
        return None, None, at + 1
    upper, end = decode(name.upper()), close + 1
    if close < 0:
        raise Refused("has a length that no record has", upper)
    if not colon:
        if upper in ("EOR", "EOH"):
            return upper, None, end
        if MARK.fullmatch(name) or not WORD.fullmatch(name):
            return None, None, end if MARK.fullmatch(name) else at + 1
        raise Refused("has no length", upper)
    if not length:
        raise Refused("has no length", upper)
    if length.startswith(b"-"):
        raise Refused("has a negative length", upper)
    if not length.isdigit():
        raise Refused("has a length that is no number", upper)
    if len(length.lstrip(b"0")) > 7 or int(length) > LENGTH_MAX:
        raise Refused("has a length that no record has", upper)
    return upper, int(length), end


def goes_on_after(data: bytes, name: str, fields: Fields, at: int, end: int) -> bool:
    """A value holds what looks like the end of its record and a field of the next. A free text may,
    if its record goes on after it with fields that it has not had yet."""
    if name not in FREE_TEXTS or name in fields:
        return False
    while 0 <= (at := data.find(b"<", at, end)):
        try:
            other, length, at = read_tag(data, at)
        except Refused:
            at += 1
            continue
        if length is not None and (other == name or other in fields):
            return False
    return True


def take_field(data: bytes, name: str, length: int, start: int, fields: Fields, mark: int) -> int:
    """Puts a field into the record; where its value ends."""
    end, fit = measure_value(data, start, length, mark)
    if end > mark and TAG_WITH_LENGTH.search(data, mark, end) and \
            not goes_on_after(data, name, fields, end, find_mark(data, END_OF_RECORD, end)):
        raise Refused("is longer than its record")
    fields[name] = decode(data[start:end])
    fields.wrong.pop(name, None)
    if fit == GLUED and not COMMENT.match(data, end):
        fields.wrong[name] = "is longer than its length says"
    elif name not in FREE_TEXTS and TAG_START.search(data, start, end):
        fields.wrong[name] = "has a length that takes in another field"
    return end


# -- records ---------------------------------------------------------------------------------------

class Lines:
    """Numbers of lines, asked for from the beginning to the end. They end with LF, CR LF or CR."""

    def __init__(self, data: bytes) -> None:
        self.data, self.place, self.line = data, 0, 1

    def at(self, place: int) -> int:
        passed = self.data[self.place:place]
        self.line += passed.count(b"\n") + passed.count(b"\r") - passed.count(b"\r\n")
        self.place = place
        return self.line


def read_records(data: bytes, is_growing: bool = False) -> Iterator[FoundRecord]:
    """Yields (line, fields by upper-case name, None), or (line, None, why it is not understood). A
    last record without its end is left out where a program may just be writing it."""
    if ADX.match(data, 0, 1024):
        yield 1, None, "the file is ADX, the XML form of ADIF, which is not read: " \
            "export the log as ADI (.adi)"
        return
    lines, fields, first_line, position, mark = Lines(data), Fields(), 1, 0, -1
    while 0 <= (at := data.find(b"<", position)):
        try:
            name, length, end = read_tag(data, at)
            if name is None:
                position = end
            elif length is not None:
                if mark < end:
                    mark = find_mark(data, END_OF_RECORD, end)
                is_first = not fields
                position = take_field(data, name, length, end, fields, mark)
                if is_first:
                    first_line = lines.at(at)
            else:
                if name == "EOR" and fields:
                    yield first_line, fields, None
                fields, position = Fields(), end
        except Refused as reason:
            # The rest of this record is passed over, its neighbours are not; before an <EOH>
            # nothing counts.
            if mark < at:
                mark = find_mark(data, END_OF_RECORD, at)
            header_end = find_mark(data, END_OF_HEADER, at, mark)
            position = min(header_end + 5, len(data))
            if header_end == mark and not (is_growing and mark == len(data)):
                yield lines.at(at), None, describe(data, at, reason)
            fields = Fields()
    if fields and not is_growing:
        yield first_line, fields, None


def describe(data: bytes, at: int, reason: Refused) -> str:
    """What is wrong with the field whose tag begins there."""
    name = reason.args[1] if len(reason.args) > 1 else read_tag(data, at)[0]
    return f"{name} {reason.args[0]}"


def defuse(text: str) -> str:
    """Text without control characters, and without what a program would take for a field. A line
    ends in two bytes, as ADIF wants it."""
    text = re.sub("<(?=[A-Za-z])", "(", text.replace("\r\n", "\n"))
    return re.sub("[\x00-\x1f\x7f]", lambda control: "\r\n" if control[0] == "\n" else " ", text)


def format_field(name: str, value: object) -> str:
    """A field, followed by as many spaces as a program takes in that counts characters and not
    bytes."""
    value = str(value)
    size = len(value.encode())
    return f"<{name}:{size}>{value} " + " " * (size - len(value))
