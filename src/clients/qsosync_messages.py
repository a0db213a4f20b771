# Reads UDP messages from loggers: the QSOs in a datagram from WSJT-X, JTDX, JS8Call, FreeDV, N1MM,
# fldigi or DXKeeper, or in ADIF text. Part of udp-bridge.py, which decides when to send them.
from __future__ import annotations

import json
import re

from qsosync_contact import read_contact
from qsosync_datagram import Message, NotUnderstood, read_adif
from qsosync_decoding import decode_mixed
from qsosync_encodings import unfold
from qsosync_fields import Refused
from qsosync_wsjtx import WSJTX_MAGIC, read_wsjtx

# Messages that N1MM broadcasts as XML in addition to contacts.
OTHER_XML = "radioinfo spot dynamicresults appinfo lookupinfo rotorstatus n1mmrotor score".split()
CONTACT = re.compile(r"<(contact(?:info|replace|delete))\b[^>]*>(.*)</\1\s*>",
                     re.DOTALL | re.IGNORECASE)
DXKEEPER = re.compile(rb"<command:\d+>\s*(\w+)\s*<parameters:\d+>(.*)", re.DOTALL | re.IGNORECASE)


def understand(data: bytes) -> Message | None:
    """Returns the message in a datagram; None if the datagram certainly logs no QSO."""
    try:
        if data[:4] == WSJTX_MAGIC:
            return read_wsjtx(data)
        return read_text_of(unfold(data, None).strip(b"\0 \t\r\n"))
    except (Refused, ValueError, RecursionError) as error:
        raise NotUnderstood(str(error)) from None


def read_text_of(data: bytes) -> Message | None:
    if not data:
        return None
    if data[:1] == b"{":
        return read_js8call(data)
    text, _ = decode_mixed(data)
    contact = CONTACT.search(text)
    if contact:
        return read_contact(contact[1].lower(), contact[2])
    if re.match(r"(?:<\?xml[^>]*>)?\s*<contact(?:info|replace|delete)\b", text, re.IGNORECASE):
        raise NotUnderstood("a contact is cut off")
    root = re.match(r"(?:<\?xml[^>]*>)?\s*<(\w+)", text)
    if root and root[1].lower() in OTHER_XML:
        return None
    command = DXKEEPER.match(data)
    if command and command[1].lower() != b"log":
        return None
    return read_adif(command[2] if command else data)


def read_js8call(data: bytes) -> Message | None:
    message = json.loads(decode_mixed(data)[0])
    if message.get("type") != "LOG.QSO":
        return None
    if not isinstance(message.get("value"), str):
        raise NotUnderstood("LOG.QSO has no text")
    return read_adif(message["value"].encode(), "JS8Call")


