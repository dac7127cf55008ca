"""Reads an archive with the module zipfile, which checks the CRC of each entry, and prints what it found as JSON."""

import csv
import io
import json
import sys
import zipfile

with zipfile.ZipFile(sys.argv[1]) as archive:
    infos = archive.infolist()
    paths = [info.filename for info in infos]
    total = 0
    wrong = []
    listed = []
    if "files.csv" in paths:
        text = archive.read("files.csv").decode("utf-8-sig")
        listed = list(csv.DictReader(io.StringIO(text, newline="")))
    expected = {row["File"]: row for row in listed if row["File"]}
    for info in infos:
        content = archive.read(info)
        total += len(content)
        row = expected.get(info.filename)
        # A file begins with the name that it had.
        name = row["Name"].removeprefix("'").encode() if row else b""
        if len(content) != info.file_size or not content.startswith(name) or (row and int(row["Bytes"]) != len(content)):
            wrong.append(info.filename)
    unsafe = [path for path in paths if path.startswith(("/", "\\")) or ".." in path.split("/") or ":" in path]
    print(
        json.dumps(
            {
                "entries": len(infos),
                "total": total,
                "wrong": wrong,
                "unsafe": unsafe,
                "different": len({path.casefold() for path in paths}),
                "listed": len(listed),
                "withoutPath": sum(1 for row in listed if not row["File"]),
                "unlisted": [path for path in paths if path not in expected][:10],
                "last": paths[-1],
                "isBeyond4GiB": max(info.header_offset for info in infos) > 0xFFFFFFFF,
            }
        )
    )
