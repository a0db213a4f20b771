# Reads the records in an ADIF file from any program, as fields. Part of qsosync.py and
# udp-bridge.py; qsosync_standard.py interprets the fields. "qsosync-admin import" has the same
# rules for tags.
from __future__ import annotations

import re
from typing import Callable, Dict, Iterator, NamedTuple, Optional, Tuple

from qsosync_decoding import decode_mixed
from qsosync_fields import Refused
from qsosync_lengths import END_OF_RECORD, EXACT, GLUED, TAG_START, Mark, find_mark, measure_value

END_OF_HEADER = re.compile(END_OF_RECORD.pattern.replace(b"eor", b"eoh"), re.IGNORECASE)
TAG_MAX = 160
NAME = re.compile(rb"[^\x00-\x1f<>:{}]{1,64}")
WORD = re.compile(rb"[A-Za-z_][A-Za-z_0-9]*")
MARK = re.compile(rb"eof|app_.+_eof", re.IGNORECASE)
TAG_WITH_LENGTH = re.compile(rb"<[A-Za-z_][A-Za-z_0-9]*:[0-9]")
COMMENT = re.compile(rb"[;#(){}\[\]*!|,]|//|--")
ADX = re.compile(rb"(\xef\xbb\xbf)?\s*(<\?xml.*?)?<adx>", re.IGNORECASE | re.DOTALL)
LENGTH_MAX = 1048576
RECORD_MAX = LENGTH_MAX
FREE_TEXTS = set("""NAME NAME_INTL QTH QTH_INTL NOTES NOTES_INTL COMMENT COMMENT_INTL MY_RIG
    MY_RIG_INTL MY_ANTENNA MY_ANTENNA_INTL""".split())
# The fields that a record has only once. If one of these fields is repeated with another value, the
# end of a record is missing.
ONCE = ("CALL", "QSO_DATE", "TIME_ON")


class Fields(Dict[str, str]):
    """The values of a record by upper-case name, and the faults of wrong lengths."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong: dict[str, str] = {}
        self.notices: dict[str, str] = {} # notices about encodings, by field name
        self.line = 0 # of the first field
        self.contradiction: tuple[int, str] | None = None # of ONCE: the line and the name

    def put(self, name: str, text: str, line: int) -> bool:
        """Adds a field, and returns whether its value counts. If a field is repeated, the last
        value that is not empty counts."""
        self.line = self.line or line
        if name in self:
            before, now = self[name].strip().upper(), text.strip().upper()
            if name in ONCE and before and now and before != now:
                self.contradiction = line, name
            if not now:
                return False
        self[name] = text
        return True

    def is_record(self) -> bool:
        """Returns whether these fields are a record, not a header: a header lacks the fields in
        ONCE."""
        return all(self.get(name, "").strip() for name in ONCE)


# The number of a record's first line, and the record's values or its fault.
FoundRecord = Tuple[int, Optional[Fields], Optional[str]]
# A function that returns a value as text, and a remark about the value's encoding.
Decode = Callable[[bytes], Tuple[str, Optional[str]]]


class Tag(NamedTuple):
    """A tag, or text that looks like a tag: then the name is None. The name of an end mark is EOR
    or EOH. A field has a length, unless the length is faulty."""
    end: int
    name: str | None = None
    length: int | None = None
    wrong: str | None = None
    is_empty: bool = False # <NAME:>


def read_tag(data: bytes, at: int) -> Tag:
    """Reads the tag that begins with this "<"."""
    if data[at + 1:at + 2] in (b"E", b"e", b"/"):
        for name, pattern in (("EOR", END_OF_RECORD), ("EOH", END_OF_HEADER)):
            mark = pattern.match(data, at)
            if mark:
                return Tag(mark.end(), name)
    close = data.find(b">", at + 1, at + 1 + TAG_MAX)
    tag = data[at + 1:close if close >= 0 else at + 1 + TAG_MAX]
    before, colon, rest = tag.partition(b":")
    before = before.strip(b"\t\n\v\f\r ") if colon else before
    # A tag that does not end within TAG_MAX characters is text, unless it begins like a tag with a
    # length.
    is_long = colon and len(tag) == TAG_MAX and rest.strip(b"\t\n\v\f\r ")[:1] in b"-0123456789"
    if close < 0 and not is_long or not NAME.fullmatch(before):
        return Tag(at + 1)
    upper = before.upper().decode("latin-1")
    if close < 0:
        return Tag(at + 1, upper, wrong="has an impossible length")
    if not colon:
        if MARK.fullmatch(before) or not WORD.fullmatch(before):
            return Tag(close + 1 if MARK.fullmatch(before) else at + 1)
        return Tag(close + 1, upper, wrong="has no length")
    return judge_length(upper, rest.partition(b":")[0].strip(b"\t\n\v\f\r "), close + 1)


def judge_length(name: str, length: bytes, end: int) -> Tag:
    if not length:
        return Tag(end, name, 0, is_empty=True)
    if length.startswith(b"-"):
        return Tag(end, name, wrong="has a negative length")
    if not length.isdigit():
        return Tag(end, name, wrong="has a length that is not a number")
    if len(length.lstrip(b"0")) > 7 or int(length) > LENGTH_MAX:
        return Tag(end, name, wrong="has an impossible length")
    return Tag(end, name, int(length))


class Lines:
    """Returns the line numbers of increasing places in a text. Lines end with LF, CR LF or CR."""

    def __init__(self, data: bytes) -> None:
        self.data, self.place, self.line = data, 0, 1

    def at(self, place: int) -> int:
        passed = self.data[self.place:place]
        self.line += passed.count(b"\n") + passed.count(b"\r") - passed.count(b"\r\n")
        self.place = max(self.place, place)
        return self.line


class Reader:
    """Reads records one after the other. If a program could still be writing the file, a last
    record without its end is omitted."""

    def __init__(self, data: bytes, is_growing: bool, decode: Decode) -> None:
        self.data, self.is_growing, self.decode = data, is_growing, decode
        self.lines = Lines(data)
        self.fields = Fields()
        self.first = "" # the name of the record's first field
        self.begin = self.position = 0 # offsets: the record's start, the next byte
        self.marks = {END_OF_RECORD: Mark(-1, -1), END_OF_HEADER: Mark(-1, -1)}

    def next_end(self, at: int, pattern: re.Pattern[bytes] = END_OF_RECORD) -> Mark:
        """Finds the next end mark of a record or a header. Call next_end with increasing places."""
        if self.marks[pattern].begin < at:
            self.marks[pattern] = find_mark(self.data, pattern, at)
        return self.marks[pattern]

    def has_end(self, at: int) -> bool:
        return self.next_end(at).begin < len(self.data)

    def read(self) -> Iterator[FoundRecord]:
        if ADX.match(self.data, 0, 1024):
            yield 1, None, "the file is ADX, the XML format of ADIF, which is not supported: " \
                "export the log as ADI (.adi)"
            return
        while 0 <= (at := self.data.find(b"<", self.position)):
            if self.position - self.begin > RECORD_MAX and not self.has_end(at):
                yield self.fields.line or 1, None, "is longer than a record can be"
                return
            yield from self.take_tag(at, read_tag(self.data, at))
        if not self.is_growing:
            yield from self.finish(len(self.data))

    def begin_record(self, position: int) -> None:
        self.fields, self.first, self.begin = Fields(), "", position
        self.position = position

    def finish(self, position: int) -> Iterator[FoundRecord]:
        """Returns the record that was read, if any. Reading continues at `position`."""
        fields = self.fields
        self.begin_record(position)
        if fields.contradiction:
            line, name = fields.contradiction
            yield line, None, f"{name} occurs twice with different values: " \
                "is <EOR> missing between two records?"
        elif fields:
            yield fields.line, fields, None

    def take_tag(self, at: int, tag: Tag) -> Iterator[FoundRecord]:
        self.position = tag.end
        if tag.name is None:
            return
        if tag.length is None and not tag.wrong:
            if tag.name == "EOR" or self.fields.is_record():
                yield from self.finish(tag.end)
            self.begin_record(tag.end)
        elif self.begins_next(tag.name, at):
            yield from self.finish(at)
        else:
            wrong = tag.wrong or self.take_field(at, tag)
            if wrong:
                yield from self.give_up(at, tag.name, wrong)

    def begins_next(self, name: str, at: int) -> bool:
        """Returns whether a new record begins without an end mark: at a field with which the record
        began, or that occurs once per record. The record must already have a CALL."""
        if not self.fields.get("CALL", "").strip() or self.has_end(at):
            return False
        return bool(self.fields.get(name, "").strip()) if name in ONCE else name == self.first

    def take_field(self, at: int, tag: Tag) -> str | None:
        """Adds a field to the record; returns the field's fault, or None."""
        data, name = self.data, str(tag.name)
        mark = self.next_end(tag.end)
        try:
            end, fit = measure_value(data, tag.end, tag.length or 0, mark)
        except Refused as reason:
            return str(reason)
        if tag.is_empty and fit != EXACT:
            return "has no length"
        if end > mark.end and TAG_WITH_LENGTH.search(data, mark.end, end) and \
                not self.goes_on_after(name, end):
            return "is longer than its record"
        self.position, self.first = end, self.first or name
        text, notice = self.decode(data[tag.end:end])
        if self.fields.put(name, text, self.lines.at(at)):
            self.fields.wrong.pop(name, None)
            if notice:
                self.fields.notices[name] = notice
            if fit == GLUED and not COMMENT.match(data, end):
                self.fields.wrong[name] = "is longer than its length says"
            elif name not in FREE_TEXTS and TAG_START.search(data, tag.end, end):
                self.fields.wrong[name] = "has a length that includes another field"
        return None

    def goes_on_after(self, name: str, at: int) -> bool:
        """Returns whether the record continues after a value that seems to contain the record's end
        and a field of the next record. This is possible in a free text, if the record does not yet
        have the fields that follow."""
        if name not in FREE_TEXTS or name in self.fields:
            return False
        end = find_mark(self.data, END_OF_RECORD, at).begin
        while 0 <= (at := self.data.find(b"<", at, end)):
            tag = read_tag(self.data, at)
            at = tag.end
            if tag.length is not None and (tag.name == name or tag.name in self.fields):
                return False
        return True

    def give_up(self, at: int, name: str, reason: str) -> Iterator[FoundRecord]:
        """Skips the rest of this record, but not the following records. Before an <EOH>, everything
        is skipped."""
        mark = self.next_end(at)
        header = mark if self.fields.is_record() else self.next_end(at, END_OF_HEADER)
        first = self.first or name
        if header.begin < mark.begin:
            self.begin_record(header.end)
            return
        if not (self.is_growing and mark.begin == len(self.data)):
            yield self.lines.at(at), None, f"{name} {reason}"
        self.begin_record(mark.end if mark.begin < len(self.data) else self.find_next(at, first))

    def find_next(self, at: int, first: str) -> int:
        """Returns the place where the next field with this name begins."""
        while 0 <= (at := self.data.find(b"<", at + 1)):
            if read_tag(self.data, at).name == first:
                return at
        return len(self.data)


def read_records(data: bytes, is_growing: bool = False,
                 decode: Decode = decode_mixed) -> Iterator[FoundRecord]:
    """Yields (line, fields by upper-case name, None), or (line, None, the fault)."""
    return Reader(data, is_growing, decode).read()


