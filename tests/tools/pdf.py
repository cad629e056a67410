"""A PDF made by hand, a page for each text, so that the tests need no package to write one."""


def pdf(*texts: str) -> bytes:
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(texts)))
    bodies = [
        "<</Type /Catalog /Pages 2 0 R>>",
        f"<</Type /Pages /Count {len(texts)} /Kids [{kids}]>>",
        "<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>",
    ]
    for n, text in enumerate(texts):
        drawn = f"BT /F1 12 Tf 20 100 Td ({text}) Tj ET"
        page = "/Type /Page /Parent 2 0 R /MediaBox [0 0 200 200]"
        bodies += [
            f"<<{page} /Resources <</Font <</F1 3 0 R>>>> /Contents {5 + 2 * n} 0 R>>",
            f"<</Length {len(drawn)}>>\nstream\n{drawn}\nendstream",
        ]
    data, places = b"%PDF-1.4\n", list[int]()
    for number, body in enumerate(bodies, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n{body}\nendobj\n".encode()
    rows = "".join(f"{place:010} 00000 n \n" for place in places)
    table = f"xref\n0 {len(bodies) + 1}\n0000000000 65535 f \n{rows}"
    trailer = f"trailer\n<</Size {len(bodies) + 1} /Root 1 0 R>>\nstartxref\n{len(data)}\n%%EOF\n"
    return data + (table + trailer).encode()
