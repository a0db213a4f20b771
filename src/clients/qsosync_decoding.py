# Decodes texts from other programs, which are in UTF-8 or in Windows-1252. Part of qsosync.py and
# udp-bridge.py.
from __future__ import annotations

import codecs


def shown(text: object) -> str:
    """Formats foreign text for a terminal, as one line of printable characters."""
    return "".join(letter if letter.isprintable() else "?" for letter in str(text))


def read_odd_byte(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    byte = error.object[error.start:error.start + 1]
    try:
        return byte.decode("cp1252"), error.start + 1
    except UnicodeDecodeError:
        return byte.decode("latin-1"), error.start + 1


codecs.register_error("qsosync-1252", read_odd_byte)


def is_utf8(value: bytes) -> bool:
    try:
        value.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def decode_mixed(value: bytes) -> tuple[str, str | None]:
    """Decodes text in UTF-8, Windows-1252 or ISO 8859-1, or a mixture of these."""
    if is_utf8(value):
        return value.decode(), None
    return value.decode("utf-8", "qsosync-1252"), "is not in UTF-8, and is read as Windows-1252"
