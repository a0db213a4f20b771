# Finds the encoding of an ADIF file: the encoding that the file states, or otherwise the encodings
# that fit. Part of qsosync.py. "qsosync-admin import" has the same rules.
from __future__ import annotations

import codecs
import re
from typing import Dict, Iterator, Optional, Tuple

from qsosync_adif import read_qso
from qsosync_decoding import decode_mixed, is_utf8
from qsosync_fields import Refused
from qsosync_text import END_OF_HEADER, Decode, Fields, read_records

CANDIDATES = ("CP1250", "CP1251", "CP1252", "CP1253", "CP850", "KOI8-R")
# Names of encodings that mean Windows-1252, most of them also in browsers.
WINDOWS_1252 = "ISO-8859-1 ISO8859-1 ISO_8859-1 LATIN1 LATIN-1 ASCII US-ASCII ANSI".split()
WIDE = re.compile("utf.?(16|32)|ucs", re.IGNORECASE)
# Control characters and box-drawing characters, which are unlikely in a log's texts.
UNLIKELY = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2500-\u259f]")
STATED = tuple(re.compile(pattern, re.IGNORECASE) for pattern in (
    rb"<(?:\w+_)?(?:encoding|charset|codepage):\d+(?::\w*)?>([^<]*)",
    rb"(?:encoding|charset|codepage)[\s=:\"']+([\w-]+)"))
SAMPLE = 30 # characters
# A value that is not UTF-8, and the value of the record's _INTL field, if any.
Odd = Tuple[bytes, Optional[str]]


def codec_of(name: str) -> str | None:
    """Returns Python's name for the encoding; None if Python has no such encoding."""
    try:
        return codecs.lookup("cp1252" if name.upper() in WINDOWS_1252 else name).name
    except (LookupError, ValueError):
        return None


def read_in_codec(value: bytes, codec: str) -> str | None:
    """Returns the value as text; None if the value is not valid in the codec."""
    try:
        text = value.decode(codec)
    except UnicodeError:
        return None
    return None if UNLIKELY.search(text) else text


def unfold(data: bytes, encoding: str | None) -> bytes:
    """Converts a file to UTF-8 if it is in UTF-16, or in another wide encoding that the user
    states."""
    form = encoding if encoding and WIDE.match(encoding) else None
    if data[:2] == b"\xff\xfe" or re.match(rb"[^\0]\0[^\0]\0", data):
        form = "utf-16-le"
    elif data[:2] == b"\xfe\xff" or re.match(rb"\0[^\0]\0[^\0]", data):
        form = "utf-16-be"
    try:
        return data.decode(form).encode() if form else data
    except (LookupError, UnicodeError):
        raise Refused(f"the file is damaged, or {form} is not supported here") from None


def stated_encoding(data: bytes) -> str | None:
    """Returns the encoding that the header states; None if it states UTF-8, an unknown encoding or
    nothing."""
    header = END_OF_HEADER.search(data)
    for pattern in STATED if header else ():
        for found in pattern.finditer(data, 0, header.end() if header else 0):
            name = found[1].decode("latin-1").strip()
            if codec_of(name) not in (None, "utf-8"):
                return name
    return None


def escape(value: bytes) -> Tuple[str, Optional[str]]:
    return value.decode("utf-8", "surrogateescape"), None


def odd_values(data: bytes, callsign: str) -> Iterator[Odd]:
    """Yields the values that are not UTF-8, in records that would become QSOs."""
    for _, fields, _ in read_records(data, decode=escape):
        raw = {name: text.encode("utf-8", "surrogateescape")
               for name, text in (fields or {}).items()}
        odd = {name: value for name, value in raw.items() if not is_utf8(value)}
        if odd and is_qso(raw, callsign):
            for name, value in odd.items():
                intl = raw.get(name + "_INTL", b"")
                yield value, intl.decode().strip() if intl and is_utf8(intl) else None


def is_qso(raw: Dict[str, bytes], callsign: str) -> bool:
    fields = Fields()
    fields.update((name, decode_mixed(value)[0]) for name, value in raw.items())
    try:
        read_qso(fields, callsign)
    except Refused:
        return False
    return True


def find_encoding(data: bytes, given: str | None, callsign: str) -> str | None:
    """Returns the encoding of a file: the encoding that the user or the file states, or the
    encoding that fits the _INTL fields. None if all values are UTF-8. Raises Refused if the
    encoding is unknown."""
    if given and not WIDE.match(given):
        if not codec_of(given):
            raise Refused(f"{given} is not a known encoding")
        return given
    if is_utf8(data):
        return None
    stated, odd = stated_encoding(data), list(odd_values(data, callsign))
    if stated or not odd:
        return stated
    fitting = {name: texts[0] or "" for name in CANDIDATES
               if all((texts := [read_in_codec(value, name) for value, _ in odd]))}
    pairs = [(value, intl) for value, intl in odd if intl]
    for name in fitting if pairs else ():
        if all((read_in_codec(value, name) or "").strip() == intl for value, intl in pairs):
            return name
    choices = ", ".join(f'{name} ("{text.strip()[:SAMPLE]}")' for name, text in fitting.items())
    raise Refused("the file is not in UTF-8 and does not name its encoding; "
                  "specify it with --encoding" + (f": {choices}" if choices else ""))


def decoder(encoding: str | None) -> Decode:
    """Returns a function that decodes a file's values as UTF-8, or otherwise in the given
    encoding."""
    codec = codec_of(encoding) if encoding else None

    def decode(value: bytes) -> Tuple[str, Optional[str]]:
        if is_utf8(value):
            return value.decode(), None
        text = read_in_codec(value, codec or "cp1252")
        return (text, None) if text is not None else ("", "is not in the encoding of the file")

    return decode
