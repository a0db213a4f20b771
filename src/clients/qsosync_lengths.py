# Finds the end of a value. Some programs count characters or UTF-16 units instead of bytes. Some
# lengths were counted before the file's line ends were converted. The text after the value shows
# what was counted. The service has the same rules (src/adif/lengths.c). Part of qsosync.py and
# udp-bridge.py.
from __future__ import annotations

import re
from typing import Callable, NamedTuple

from qsosync_decoding import is_utf8
from qsosync_fields import Refused

# <EOR>, <eor:0>, <EOR/>, <EOR >, </EOR>
END_OF_RECORD = re.compile(rb"</?eor\s*(?::[0\s]*)?/?\s*>", re.IGNORECASE)
SPACE = re.compile(rb"[\t-\r ]*")
TAG_START = re.compile(rb"<[A-Za-z_]")
ODD_BYTES = re.compile(rb"[\x80-\xff\n]")
VALUE_WITH_MARK_MAX = 8192
# The kinds of text after a value: text without white space before it, text after white space, or a
# tag or the end.
GLUED, SPACED, EXACT = 1, 2, 3
# A function that returns the weight of a byte in a length.
Weight = Callable[[int, int], int]


class Mark(NamedTuple):
    """The beginning and the end of the end mark of a record or a header; without a mark, both are
    the end of the data."""
    begin: int
    end: int


def find_mark(data: bytes, mark: re.Pattern[bytes], start: int) -> Mark:
    found = mark.search(data, start)
    return Mark(*found.span()) if found else Mark(len(data), len(data))


def judge_end(data: bytes, end: int, mark: Mark) -> int:
    """Returns how well a value could end at this place, from the text after the place; 0: not at
    all."""
    if end > len(data):
        return 0
    space = SPACE.match(data, end)
    after = space.end() if space else end
    if after == len(data) or TAG_START.match(data, after) or END_OF_RECORD.match(data, after):
        fit = EXACT
    else:
        fit = SPACED if after > end else GLUED
    # A value can contain an <EOR>, but not as its last word.
    if end > mark.begin and (fit != EXACT or mark.end > end
                             or SPACE.fullmatch(data, mark.end, end)):
        return 0
    return fit


def count_bytes(byte: int, _: int) -> int:
    return 1


def count_characters(byte: int, _: int) -> int:
    return 0 if byte & 0xC0 == 0x80 else 1


def count_utf16(byte: int, _: int) -> int:
    return 2 if byte >= 0xF0 else count_characters(byte, _)


def was_cr_lf(count: Weight) -> Weight:
    """Returns a weight for a text that had CR LF when it was written, and has LF now."""
    return lambda byte, before: 2 if byte == 10 and before != 13 else count(byte, before)


def was_lf(count: Weight) -> Weight:
    """Returns a weight for a text that had LF when it was written, and has CR LF now."""
    return lambda byte, before: 0 if byte == 10 and before == 13 else count(byte, before)


# The units of lengths other than bytes: (the weight of a byte in a length, whether the unit counts
# characters).
UNITS = ((count_characters, True), (count_utf16, True), (was_cr_lf(count_bytes), False),
         (was_cr_lf(count_characters), True), (was_lf(count_bytes), False),
         (was_lf(count_characters), True))


def find_end(data: bytes, start: int, length: int, mark: int, weigh: Weight) -> int | None:
    """Returns the end of a value with this number of units; None if the mark comes first, or if the
    number ends inside a character."""
    used, before, place = 0, 0, start
    while place < mark:
        weight = weigh(data[place], before)
        if used + weight > length or used == length and weight:
            break
        used += weight
        before = data[place]
        place += 1
    return place if used == length else None


def measure_value(data: bytes, start: int, length: int, mark: Mark) -> tuple[int, int]:
    """Returns (the end of a value, what follows the value). Lengths count bytes. If bytes do not
    fit, the following text shows the unit: characters as in UTF-8 or in Java, even in a file whose
    line ends were changed."""
    end, best = start + length, 0
    if end > mark.begin and length > VALUE_WITH_MARK_MAX and mark.begin < len(data):
        raise Refused("is longer than its record")
    best = judge_end(data, end, mark)
    if best != EXACT and ODD_BYTES.search(data, start, min(start + length + 1, mark.begin)):
        for weigh, counts_characters in UNITS:
            candidate = find_end(data, start, length, mark.begin, weigh)
            if candidate is None or counts_characters and not is_utf8(data[start:candidate]):
                continue
            fit = judge_end(data, candidate, mark)
            if fit > best:
                end, best = candidate, fit
            if best == EXACT:
                break
    if not best:
        raise Refused("is longer than its record" if mark.begin < len(data)
                      else "is longer than the file")
    if best == GLUED and TAG_START.search(data, start, end + 1):
        raise Refused("has a length that ends inside another field")
    return end, best
