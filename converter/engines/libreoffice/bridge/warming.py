"""What a process does before its first conversion, so that it is not slower than the others: an empty document of each
kind is written as it will be most often."""

import os

from conversion import write_document

FILTERS = {"swriter": "writer_pdf_Export", "scalc": "calc_pdf_Export", "simpress": "impress_pdf_Export"}


def warm(office, directory, module):
    name = os.path.join("temporary", "warming.pdf")
    write_document(office.desktop, "private:factory/" + module, directory, {"file": name, "filter": FILTERS[module]})
    os.unlink(os.path.join(directory, name))
