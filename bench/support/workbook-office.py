"""Reads workbooks with LibreOffice, after it has changed them, for bench/workbooks.ts.

Takes lines of JSON: {"file": path, "acts": [what to do before]}; answers each with a line:
{"sheets": [[name, [[row, column, formula or value as LibreOffice tells it, value]]]]} or {"error": text}. An act is
["insert" or "delete", sheet, 0 for rows or 1 for columns, place, count], or ["cut", sheet, first row, first column, last row,
last column, other sheet, row, column].
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import uno
from com.sun.star.beans import PropertyValue

MOST_CELLS = 300_000
TIMEOUT_SECONDS = 60


def option(name, value):
    made = PropertyValue()
    made.Name = name
    made.Value = value
    return made


class Office:
    """A LibreOffice with a profile of its own."""

    def __init__(self):
        self.process = None
        self.folder = tempfile.mkdtemp(prefix="quire-workbooks-")

    def desktop(self):
        if self.process is None or self.process.poll() is not None:
            self.start()
        return self.manager.createInstanceWithContext("com.sun.star.frame.Desktop", self.context)

    def start(self):
        pipe = f"quire-workbooks-{os.getpid()}-{time.monotonic_ns()}"
        self.process = subprocess.Popen(
            [
                "soffice",
                f"-env:UserInstallation=file://{self.folder}/profile",
                f"--accept=pipe,name={pipe};urp;",
                "--headless",
                "--norestore",
                "--nolockcheck",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
        end = time.monotonic() + 60
        while True:
            try:
                self.context = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
                self.manager = self.context.ServiceManager
                return
            except Exception:
                if time.monotonic() > end:
                    raise
                time.sleep(0.2)

    def kill(self):
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, 9)
            self.process.wait()
        self.process = None

    def close(self):
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def cells_of(sheet):
    cursor = sheet.createCursor()
    cursor.gotoEndOfUsedArea(False)
    address = cursor.getRangeAddress()
    rows, columns = address.EndRow + 1, address.EndColumn + 1
    if rows * columns > MOST_CELLS:
        raise ValueError("too many cells")
    area = sheet.getCellRangeByPosition(0, 0, columns - 1, rows - 1)
    found = []
    for row, (formulas, values) in enumerate(zip(area.getFormulaArray(), area.getDataArray())):
        for column, (formula, value) in enumerate(zip(formulas, values)):
            if formula != "" or value != "":
                found.append([row, column, formula, value if isinstance(value, (int, float, str)) else str(value)])
    return found


def act(sheets, name, index, *numbers):
    if index >= sheets.Count:
        return
    sheet = sheets.getByIndex(index)
    if sheet.isProtected():
        sheet.unprotect("")
    if name == "cut":
        row, column, last_row, last_column, other, to_row, to_column = numbers
        area = sheet.getCellRangeByPosition(column, row, last_column, last_row).getRangeAddress()
        sheet.moveRange(sheets.getByIndex(other).getCellByPosition(to_column, to_row).getCellAddress(), area)
        return
    axis, place, count = numbers
    lines = sheet.Columns if axis else sheet.Rows
    if name == "insert":
        lines.insertByIndex(place, count)
    else:
        lines.removeByIndex(place, count)


def read(office, file, acts):
    document = office.desktop().loadComponentFromURL(
        uno.systemPathToFileUrl(file),
        "_blank",
        0,
        (option("Hidden", True), option("MacroExecutionMode", 0), option("UpdateDocMode", 0)),
    )
    if document is None or not document.supportsService("com.sun.star.sheet.SpreadsheetDocument"):
        raise ValueError("not opened")
    try:
        sheets = document.Sheets
        for name, *numbers in acts:
            act(sheets, name, *numbers)
        document.calculateAll()
        return [[sheets.getByIndex(i).Name, cells_of(sheets.getByIndex(i))] for i in range(sheets.Count)]
    finally:
        document.close(True)


def main():
    office = Office()
    try:
        for line in sys.stdin:
            job = json.loads(line)
            watch = threading.Timer(TIMEOUT_SECONDS, office.kill)
            watch.start()
            try:
                answer = {"sheets": read(office, job["file"], job["acts"])}
            except Exception as error:
                answer = {"error": str(error)[:200] or type(error).__name__}
            finally:
                watch.cancel()
            print(json.dumps(answer), flush=True)
    finally:
        office.close()


main()
