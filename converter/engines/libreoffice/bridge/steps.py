"""What is done to a document between loading and writing."""

import os

import uno  # Nothing of `com` can be imported before it.
from com.sun.star.lang import Locale
from com.sun.star.text import FilenameDisplayFormat
from com.sun.star.util import MalformedNumberFormatException
from pictures import pictures

WITH_DIRECTORY = (FilenameDisplayFormat.FULL, FilenameDisplayFormat.PATH)
# Columns of a web page become no wider, in hundredths of a millimetre.
WIDEST_COLUMN = 9000
ENGLISH = Locale("en", "US", "")
HEADERS_AND_FOOTERS = [
    "%sPage%sContent" % (side, place) for side in ("Left", "Right") for place in ("Header", "Footer")
]


class StepRefused(Exception):
    """A step cannot do what it says; the message may be shown to users."""


def run_step(office, document, step):
    """`office` has the services, the desktop and the directory of the job; files are named from there."""
    members = dict(step)
    function = _STEPS.get(members.pop("kind"))
    if function is None:
        raise StepRefused("there is no step called %s" % step["kind"])
    function(document, office, **members)


def _sheet_layout(document, _office, **layout):
    """Lengths are hundredths of a millimetre; a scale is percent, and 0 pages are as many as it takes."""
    styles = document.StyleFamilies.getByName("PageStyles")
    sheets = [document.Sheets.getByIndex(index) for index in range(document.Sheets.Count)]
    for name in {sheet.PageStyle for sheet in sheets}:
        style = styles.getByName(name)
        style.IsLandscape = layout["landscape"]
        style.Width = layout["width"]
        style.Height = layout["height"]
        style.LeftMargin = layout["left"]
        style.RightMargin = layout["right"]
        style.TopMargin = layout["top"]
        style.BottomMargin = layout["bottom"]
        style.PrintHeaders = layout["headings"]
        style.PrintGrid = layout["gridLines"]
        if layout["pagesWide"] or layout["pagesHigh"]:
            style.ScaleToPagesX = layout["pagesWide"]
            style.ScaleToPagesY = layout["pagesHigh"]
        else:
            style.PageScale = layout["scale"]
    if layout["ignorePrintAreas"]:
        for sheet in sheets:
            sheet.setPrintAreas(())


def _only_sheet(document, _office, number):
    """Only this sheet, counted from 1, is printed, and is the one that a table is written of."""
    sheets = document.Sheets
    if number > sheets.Count:
        raise StepRefused("there is no sheet %d" % number)
    name = sheets.getByIndex(number - 1).Name
    sheets.getByIndex(number - 1).IsVisible = True
    for other in sheets.ElementNames:
        if other != name:
            sheets.getByName(other).IsVisible = False
    sheets.moveByName(name, 0)


def _name_sheets(document, _office, unnamed):
    """Sheets that the file has not named, which begin with `unnamed`, are called as usual, by numbers that are free."""
    if document.isProtected():
        return  # LibreOffice refuses to rename its sheets.
    sheets = document.Sheets
    names = sheets.ElementNames
    taken = {name.casefold() for name in names}
    number = 1
    for name in names:
        if name.startswith(unnamed):
            while f"sheet{number}" in taken:
                number += 1
            sheets.getByName(name).Name = f"Sheet{number}"
            number += 1


def _paper(document, _office, width, height):
    """Pages of a document whose file says nothing of them. Lengths are hundredths of a millimetre."""
    styles = document.StyleFamilies.getByName("PageStyles")
    for index in range(styles.Count):
        style = styles.getByIndex(index)
        if style.isInUse() and not style.IsLandscape:
            style.Width = width
            style.Height = height


def _region(document, office, language, country):
    """Numbers and dates of sheets are written as they are usual there, where their format does not say how."""
    locale = Locale(language, country, "")
    known = office.service("com.sun.star.i18n.LocaleData").getAllInstalledLocaleNames()
    if not any(one.Language == language and one.Country == country for one in known):
        raise StepRefused("there is no region %s-%s" % (language, country))
    formats = document.NumberFormats
    for index in range(document.Sheets.Count):
        ranges = document.Sheets.getByIndex(index).CellFormatRanges
        cells = [ranges.getByIndex(number) for number in range(ranges.Count)]
        for some in cells:
            wanted = formats.getFormatForLocale(some.NumberFormat, locale)
            if wanted != some.NumberFormat:
                some.NumberFormat = wanted


def _hide_directory(document, _office):
    """Fields that show where a file lies would show the directory of the job: they show its name alone."""
    if document.supportsService("com.sun.star.text.TextDocument"):
        _show_names(document.TextFields)
        return
    styles = document.StyleFamilies.getByName("PageStyles")
    for index in range(styles.Count):
        style = styles.getByIndex(index)
        for name in HEADERS_AND_FOOTERS:
            content = style.getPropertyValue(name)
            texts = () if content is None else (content.LeftText, content.CenterText, content.RightText)
            if any([_show_names(text.TextFields) for text in texts]):
                style.setPropertyValue(name, content)


def _show_names(fields):
    """Whether one of them was changed."""
    changed = False
    each = fields.createEnumeration()
    while each.hasMoreElements():
        field = each.nextElement()
        if field.getPropertySetInfo().hasPropertyByName("FileFormat") and field.FileFormat in WITH_DIRECTORY:
            field.FileFormat = FilenameDisplayFormat.NAME_AND_EXT
            changed = True
    return changed


def _give_formats(formats, sheet, marks):
    ranges = sheet.CellFormatRanges
    for cells in [ranges.getByIndex(number) for number in range(ranges.Count)]:
        pattern = marks.get(cells.NumberFormat)
        if pattern is not None:
            cells.NumberFormat = _format_key(formats, pattern)


def _format_key(formats, pattern):
    """That of numbers without a format where LibreOffice does not know the pattern."""
    key = formats.queryKey(pattern, ENGLISH, False)
    try:
        return formats.addNew(pattern, ENGLISH) if key < 0 else key
    except MalformedNumberFormatException:
        return formats.getStandardIndex(ENGLISH)


def _web_tables(document, _office, formats):
    """The cells of a web page: without the names that LibreOffice gives its tables, in columns as wide as what is in them.
    Cells with the `mark` of one of `formats` get its `pattern`."""
    marks = {document.NumberFormats.queryKey(one["mark"], ENGLISH, False): one["pattern"] for one in formats}
    names = document.NamedRanges
    for name in names.ElementNames:
        if name.startswith("HTML_"):
            names.removeByName(name)
    for index in range(document.Sheets.Count):
        sheet = document.Sheets.getByIndex(index)
        _give_formats(document.NumberFormats, sheet, marks)
        used = sheet.createCursor()
        used.gotoStartOfUsedArea(False)
        used.gotoEndOfUsedArea(True)
        columns = used.Columns
        columns.OptimalWidth = True
        for number in range(columns.Count):
            column = columns.getByIndex(number)
            if column.Width > WIDEST_COLUMN:
                column.Width = WIDEST_COLUMN


def _slide_text(document, office, file):
    """The text of slides, those of a slide in the order in which they lie upon each other."""
    pages = document.DrawPages
    texts = ["\n".join(_texts_of(pages.getByIndex(index))) for index in range(pages.Count)]
    with open(os.path.join(office.directory, file), "w", encoding="utf-8") as written:
        written.write("\n\n".join(texts) + "\n")


def _texts_of(shapes):
    for index in range(shapes.Count):
        shape = shapes.getByIndex(index)
        if shape.supportsService("com.sun.star.drawing.GroupShape"):
            yield from _texts_of(shape)
        elif shape.supportsService("com.sun.star.drawing.TableShape"):
            yield from _rows_of(shape.Model)
        elif not getattr(shape, "IsEmptyPresentationObject", False) and getattr(shape, "String", ""):
            yield shape.String


def _rows_of(table):
    for row in range(table.RowCount):
        yield "\t".join(table.getCellByPosition(column, row).String for column in range(table.ColumnCount))


_STEPS = {
    "hide-directory": _hide_directory,
    "name-sheets": _name_sheets,
    "only-sheet": _only_sheet,
    "paper": _paper,
    "sheet-layout": _sheet_layout,
    "region": _region,
    "slide-text": _slide_text,
    "web-tables": _web_tables,
    "pictures": pictures,
}
