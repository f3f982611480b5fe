"""Compares two workbooks as openpyxl reads them, for bench/workbooks.ts.

Takes lines of JSON: {"before": path, "after": path, "except": [[sheet name, row, column]]}; answers each with a line: {"cells":
how many were compared, "other": [those that differ]} or {"error": text}.
"""

import json
import sys
import warnings

import openpyxl

warnings.simplefilter("ignore")


def cells(path):
    workbook = openpyxl.load_workbook(path)
    found = {}
    for sheet in workbook.worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.value is None and not cell.has_style:
                    continue
                value = cell.value
                text = getattr(value, "text", None) or value
                found[(sheet.title, cell.row, cell.column)] = (str(text), cell.data_type, cell.number_format, cell.font.b)
    return found


for line in sys.stdin:
    job = json.loads(line)
    try:
        before = cells(job["before"])
    except Exception as error:
        print(json.dumps({"error": f"before: {error}"[:200]}), flush=True)
        continue
    try:
        after = cells(job["after"])
        skipped = {tuple(place) for place in job["except"]}
        other = [place for place in before.keys() | after.keys() if before.get(place) != after.get(place) and place not in skipped]
        print(json.dumps({"cells": len(before), "other": sorted(other)[:5]}), flush=True)
    except Exception as error:
        print(json.dumps({"cells": 0, "other": [], "failed": str(error)[:200]}), flush=True)
