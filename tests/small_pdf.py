"""Small PDFs, made where they are needed."""

import io


def pdf(*pages, encrypt=False):
    """A PDF in its plainest syntax (ISO 32000-1, 7.5): each page a list of lines, None for a page that draws nothing."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", None, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for lines in pages:
        drawn = "BT /F1 11 Tf 14 TL 72 720 Td " + " ".join(
            f"({line.replace(chr(92), chr(92) * 2).replace('(', chr(92) + '(').replace(')', chr(92) + ')')}) Tj T*"
            for line in lines or ()
        ) + " ET"  # fmt: skip
        objects.append(f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream")
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>"
            f" /Contents {len(objects)} 0 R >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    written, places = "%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(written))
        written += f"{number} 0 obj\n{body}\nendobj\n"
    start = len(written)
    written += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n" + "".join(f"{p:010} 00000 n \n" for p in places)
    written += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    plain = written.encode("latin-1")
    if not encrypt:
        return plain
    import pypdf

    writer = pypdf.PdfWriter(clone_from=io.BytesIO(plain))
    writer.encrypt("secret", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()
