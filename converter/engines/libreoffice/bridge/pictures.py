"""Pages of a document as pictures."""

import os
import re

import uno
from com.sun.star.awt import Point, Size
from descriptor import descriptor, descriptor_member

# The number of a picture's pixels to the inch where a page has its own size.
DOTS_AN_INCH = 96
HUNDREDTH_MM_AN_INCH = 2540
WHITE = 0xFFFFFF
STRETCHED = 0
FITTED = 1
HIDDEN = descriptor({"Hidden": True})


def pictures(document, office, directory, extension, mime, filter, filterData, width, height, aspect, first):
    """Pages as pictures, called 0001 and so on. They are drawn as they are in a PDF; sizes are pixels."""
    os.makedirs(os.path.join(office.directory, directory), exist_ok=True)
    pdf = os.path.join(office.directory, "page.pdf")
    count = 1 if first else _pages(document, pdf, filter, filterData)
    with _Canvas(office) as canvas:
        for number in range(1, count + 1):
            _write_pdf(document, pdf, filter, {**filterData, "PageRange": str(number)})
            page = canvas.show(pdf)
            picture = os.path.join(office.directory, directory, "%04d.%s" % (number, extension))
            canvas.write(picture, mime, _size(page, width, height, aspect))
    os.remove(pdf)


class _Canvas:
    """A drawing of one page, as large as what is shown on it."""

    def __init__(self, office):
        self._office = office
        self._graphics = office.service("com.sun.star.graphic.GraphicProvider")
        self._document = None
        self._page = None

    def __enter__(self):
        self._document = self._office.desktop.loadComponentFromURL("private:factory/sdraw", "_blank", 0, HIDDEN)
        self._page = self._document.DrawPages.getByIndex(0)
        for side in ("Left", "Right", "Top", "Bottom"):
            setattr(self._page, "Border" + side, 0)
        return self

    def __exit__(self, *_error):
        self._document.close(True)

    def show(self, pdf):
        """The first page of a file, on white; its size in pixels."""
        for index in reversed(range(self._page.Count)):
            self._page.remove(self._page.getByIndex(index))
        graphic = self._graphics.queryGraphic(descriptor({"URL": uno.systemPathToFileUrl(pdf)}))
        pixels = graphic.SizePixel
        self._page.Width = pixels.Width * HUNDREDTH_MM_AN_INCH // DOTS_AN_INCH
        self._page.Height = pixels.Height * HUNDREDTH_MM_AN_INCH // DOTS_AN_INCH
        paper = self._add("com.sun.star.drawing.RectangleShape")
        paper.LineStyle = uno.Enum("com.sun.star.drawing.LineStyle", "NONE")
        paper.FillColor = WHITE
        self._add("com.sun.star.drawing.GraphicObjectShape").Graphic = graphic
        return (pixels.Width, pixels.Height)

    def write(self, file, mime, size):
        if mime == "image/x-MS-bmp":
            # Its filter knows no size in pixels.
            between = file + ".png"
            self.write(between, "image/png", size)
            graphic = self._graphics.queryGraphic(descriptor({"URL": uno.systemPathToFileUrl(between)}))
            to = {"URL": uno.systemPathToFileUrl(file), "MimeType": mime}
            self._graphics.storeGraphic(graphic, descriptor(to))
            os.remove(between)
            return
        writer = self._office.service("com.sun.star.drawing.GraphicExportFilter")
        writer.setSourceDocument(self._page)
        pixels = descriptor_member({"PixelWidth": size[0], "PixelHeight": size[1]})
        to = {"URL": uno.systemPathToFileUrl(file), "MediaType": mime, "FilterData": pixels}
        if not writer.filter(descriptor(to)):
            raise RuntimeError("a page did not become a picture")

    def _add(self, service):
        shape = self._document.createInstance(service)
        self._page.add(shape)
        shape.setPosition(Point(0, 0))
        shape.setSize(Size(self._page.Width, self._page.Height))
        return shape


def _size(page, width, height, aspect):
    if aspect == STRETCHED:
        return (width, height)
    if aspect == FITTED:
        share = min(width / page[0], height / page[1])
        return (max(1, round(page[0] * share)), max(1, round(page[1] * share)))
    return page


def _pages(document, pdf, filter, data):
    _write_pdf(document, pdf, filter, data)
    with open(pdf, "rb") as written:
        return len(re.findall(rb"/Type\s*/Page\b", written.read()))


def _write_pdf(document, pdf, filter, data):
    to = {"FilterName": filter, "FilterData": descriptor_member(data), "Overwrite": True}
    document.storeToURL(uno.systemPathToFileUrl(pdf), descriptor(to))
