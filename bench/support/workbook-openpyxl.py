"""Reads workbooks as openpyxl does, for bench/workbooks.ts, and looks at their parts by the schemas of ECMA-376.

    workbook-openpyxl.py [folder of the schemas: sml.xsd and those that it names]

Takes lines of JSON: {"file": path}; answers each with a line: {"sheets": [[name, [[row, column, content, look]]]], "faults":
[what the schemas do not allow]} or {"error": text}. Rows and columns count from 0; a formula begins with an equals sign.
"""

import json
import os
import re
import sys
import warnings
import zipfile

import openpyxl
import openpyxl.worksheet._reader as reader
from openpyxl.worksheet.formula import ArrayFormula, DataTableFormula

warnings.simplefilter("ignore")
# Days stay numbers.
reader.from_excel = lambda value, *_, **__: value
if hasattr(reader, "from_ISO8601"):
    reader.from_ISO8601 = lambda value, *_, **__: value
# Cells hold what the file says: not nothing where they are merged with others, and no address where they are a link without a text.
reader.WorksheetReader.bind_merged_cells = lambda self: None
reader.WorksheetReader.bind_hyperlinks = lambda self: None


def content(value):
    if isinstance(value, ArrayFormula):
        return value.text if str(value.text).startswith("=") else f"={value.text}"
    if isinstance(value, DataTableFormula):
        return "=TABLE"
    if isinstance(value, (int, float, bool)):
        return value
    # 22.9.2.19 of ECMA-376, which openpyxl leaves as it is.
    return re.sub(r"_x([0-9A-Fa-f]{4})_", lambda found: chr(int(found[1], 16)), str(value))


def sheets(path):
    workbook = openpyxl.load_workbook(path, keep_vba=path.endswith("m"))
    found = []
    for sheet in workbook.worksheets:
        cells = []
        for (row, column), cell in sheet._cells.items():
            if cell.value is None or cell.value == "":
                continue
            font, fill = cell.font, cell.fill
            look = [cell.number_format, bool(font.b), bool(font.i), font.sz, font.name, fill.fill_type, cell.alignment.wrap_text]
            cells.append([row - 1, column - 1, content(cell.value), str(look)])
        found.append([sheet.title, cells])
    return found


class Schemas:
    MARKUP = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    # XML itself has it, and Office writes it; the schemas do not name it.
    SPACE = "{http://www.w3.org/XML/1998/namespace}space"
    BY_ROOT = {
        "http://schemas.openxmlformats.org/spreadsheetml/2006/main": "sml.xsd",
        "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing": "dml-spreadsheetDrawing.xsd",
        "http://schemas.openxmlformats.org/drawingml/2006/chart": "dml-chart.xsd",
    }

    def __init__(self, folder):
        from lxml import etree

        self.etree = etree
        self.by_root = {
            root: etree.XMLSchema(etree.parse(os.path.join(folder, name))) for root, name in self.BY_ROOT.items()
        }

    def faults(self, path):
        found = []
        with zipfile.ZipFile(path) as package:
            for name in package.namelist():
                if name.endswith(".xml"):
                    found += [f"{name}: {fault}" for fault in self.part(package.read(name))]
        return found

    def part(self, text):
        parser = self.etree.XMLParser(resolve_entities=False, huge_tree=True)
        try:
            root = self.etree.fromstring(text, parser)
        except self.etree.XMLSyntaxError as error:
            return [f"no XML: {error}"]
        schema = self.by_root.get(self.etree.QName(root).namespace)
        if schema is None:
            return []
        self.drop_ignorable(root)
        schema.validate(self.etree.fromstring(self.etree.tostring(root), parser))
        return [re.sub(r"\{[^}]*\}", "", error.message)[:200] for error in schema.error_log]

    def drop_ignorable(self, root):
        """What a reader of the first edition passes over."""
        ignorable = {self.MARKUP}
        for element in root.iter():
            for prefix in (element.get(f"{{{self.MARKUP}}}Ignorable") or "").split():
                if prefix in element.nsmap:
                    ignorable.add(element.nsmap[prefix])
        for choice in list(root.iter(f"{{{self.MARKUP}}}AlternateContent")):
            kept = choice.find(f"{{{self.MARKUP}}}Fallback")
            place, parent = choice.getparent().index(choice), choice.getparent()
            for child in list(kept) if kept is not None else []:
                parent.insert(place, child)
                place += 1
            parent.remove(choice)
        for element in list(root.iter()):
            if not isinstance(element.tag, str):
                continue
            if self.etree.QName(element).namespace in ignorable and element.getparent() is not None:
                element.getparent().remove(element)
                continue
            for name in list(element.attrib):
                if name == self.SPACE or self.etree.QName(name).namespace in ignorable:
                    del element.attrib[name]


# It prints what it finds strange.
answers, sys.stdout = sys.stdout, sys.stderr
schemas = Schemas(sys.argv[1]) if len(sys.argv) > 1 else None
for line in sys.stdin:
    job = json.loads(line)
    try:
        answer = {"sheets": sheets(job["file"])}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"[:200]}
    try:
        answer["faults"] = schemas.faults(job["file"]) if schemas else []
    except Exception as error:
        answer["faults"] = [f"{type(error).__name__}: {error}"[:200]]
    print(json.dumps(answer), file=answers, flush=True)
