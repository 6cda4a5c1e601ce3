"""A body's compression is taken off within a bound, and what is damaged is refused."""

import gzip
import zlib
from functools import partial

import pytest
from tables import every_row

from showable.traces.otlp.refused import Refused
from showable.traces.otlp.unpack import unpack

gzipped = partial(gzip.compress, mtime=0)  # a time in it would be in a test's name, and differ between workers
BODY = bytes(range(256)) * 400
RAW = zlib.compressobj(wbits=-zlib.MAX_WBITS)
BARE = RAW.compress(BODY) + RAW.flush()


@pytest.mark.parametrize(
    ("packed", "encoding"),
    [(BODY, None), (BODY, "identity"), (gzipped(BODY), "gzip"), (gzipped(BODY), " GZIP "), (zlib.compress(BODY), "deflate"),
     (BARE, "deflate"), (gzipped(BODY[:9]) + gzipped(BODY[9:]), "x-gzip")],
)  # fmt: skip
def test_a_body_comes_out_as_it_went_in(packed, encoding):
    assert unpack(packed, encoding, len(BODY)) == BODY


@every_row(
    ("packed", "encoding", "status"),
    [(BODY, None, 413), (gzipped(BODY), "gzip", 413), (gzipped(bytes(50_000_000)), "gzip", 413), (zlib.compress(BODY), "deflate", 413),
     (gzipped(b"x")[:-3], "gzip", 400), (gzipped(b"x") + b"y", "gzip", 400), (b"", "gzip", 400), (b"plain", "gzip", 400),
     (b"plain", "deflate", 400), (zlib.compress(b"x") + b"y", "deflate", 400), (gzipped(b"x")[:-8] + bytes(8), "gzip", 400),
     (gzipped(b"") * 1001, "gzip", 400), (b"x", "zstd", 415), (b"x", "gzip, gzip", 415)],
)  # fmt: skip
def test_what_is_too_long_or_damaged_is_refused(packed, encoding, status):
    with pytest.raises(Refused) as refused:
        unpack(packed, encoding, 1000)
    assert refused.value.status == status
