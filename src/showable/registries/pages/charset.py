"""Which characters the bytes of a page stand for: what it says, unless its bytes say otherwise."""

from __future__ import annotations

import re

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_HEADER = re.compile(r"charset\s*=\s*[\"']?([\w:.+-]{2,40})", re.IGNORECASE)
_META = re.compile(rb"<meta[^<>]{0,400}?charset\s{0,5}=\s{0,5}[\"']?([\w:.+-]{2,40})", re.IGNORECASE)
_PRESCAN = 4_096
_CODECS = {
    # The Encoding Standard of the WHATWG: what pages call Latin-1 or ASCII is Windows-1252, and so on.
    **dict.fromkeys(("utf-8", "utf8", "unicode-1-1-utf-8"), "utf-8"),
    **dict.fromkeys(("us-ascii", "ascii", "iso-8859-1", "iso8859-1", "latin1", "latin-1", "cp1252"), "cp1252"),
    **{f"windows-125{n}": f"cp125{n}" for n in range(9)},
    **{f"iso-8859-{n}": f"iso8859_{n}" for n in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    **dict.fromkeys(("iso-8859-9", "latin5"), "cp1254"),
    **dict.fromkeys(("iso-8859-11", "tis-620", "windows-874"), "cp874"),
    **dict.fromkeys(("gb2312", "gbk", "gb18030", "x-gbk", "chinese"), "gb18030"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j", "ms_kanji"), "cp932"),
    **dict.fromkeys(("euc-kr", "ks_c_5601-1987", "windows-949"), "cp949"),
    **dict.fromkeys(("big5", "big5-hkscs"), "big5hkscs"),
    "euc-jp": "euc_jp",
    "iso-2022-jp": "iso2022_jp",
    "koi8-r": "koi8_r",
    "koi8-u": "koi8_u",
    "macintosh": "mac_roman",
    "ibm866": "cp866",
    "utf-16le": "utf-16-le",
    "utf-16be": "utf-16-be",
    "utf-16": "utf-16-le",
}
_SINGLE_BYTE = re.compile(r"cp125\d|cp8\d\d|iso8859_\d+|koi8_[ru]|mac_roman")
_NO_CHARACTER = dict.fromkeys((*range(9), 11, *range(14, 32)))


def decoded(body: bytes, content_type: str = "") -> str:
    """Decode a page: byte-order mark, then the header's charset, then the page's own, then UTF-8, then Windows-1252.

    Bytes beyond ASCII that are well-formed UTF-8 are taken as such, whatever single-byte charset is claimed: chance
    would hardly make them so. Names of codecs that are no character sets are not looked at.
    """
    for mark, codec in _BOMS:
        if body.startswith(mark):
            return _clean(body[len(mark) :].decode(codec, "replace"))
    header = _HEADER.search(content_type[:1_000])
    meta = _META.search(body, 0, _PRESCAN)
    claimed = [
        _codec(header[1]) if header else None,
        _in_ascii(_codec(meta[1].decode("ascii", "replace")) if meta else None),
    ]
    codecs = [codec for codec in claimed if codec]
    if not codecs or (_SINGLE_BYTE.fullmatch(codecs[0]) and not body.isascii()):
        codecs.insert(0, "utf-8")
    whole = next((text for codec in codecs if (text := _whole(body, codec)) is not None), None)
    if whole is None:
        whole = body.decode(next((codec for codec in codecs if codec in claimed), "cp1252"), "replace")
    return _clean(whole)


def _whole(body: bytes, codec: str) -> str | None:
    """Decode all of it, or give None."""
    try:
        return body.decode(codec)
    except UnicodeDecodeError:
        return None


def _codec(label: str) -> str | None:
    return _CODECS.get(label.strip().lower())


def _in_ascii(codec: str | None) -> str | None:
    """A page that says in ASCII bytes that it is UTF-16 is not."""
    return "utf-8" if codec and codec.startswith("utf-16") else codec


def _clean(text: str) -> str:
    """Drop control characters, at which a parser written in C would stop reading."""
    return text.translate(_NO_CHARACTER)
