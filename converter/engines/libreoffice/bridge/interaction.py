"""What LibreOffice asks while it loads a file: nobody is there to answer, but the question says what is wrong."""

import unohelper
from com.sun.star.task import XInteractionHandler, XStatusIndicator

ABORT = "com.sun.star.task.XInteractionAbort"
DISAPPROVE = "com.sun.star.task.XInteractionDisapprove"
PASSWORD = "com.sun.star.task.XInteractionPassword"


class Questions(unohelper.Base, XInteractionHandler):
    """Aborts whatever is asked, and remembers whether it was a password."""

    def __init__(self):
        self.wanted_password = False

    def handle(self, request):
        # The request itself is an exception, which PyUNO does not hand over; what may be answered says what is asked.
        continuations = {kind: one for one in request.getContinuations() for kind in _kinds_of(one)}
        if any(kind.startswith(PASSWORD) for kind in continuations):
            self.wanted_password = True
        for refused in (ABORT, DISAPPROVE):
            if refused in continuations:
                continuations[refused].select()
                return


class Indicator(unohelper.Base, XStatusIndicator):
    """Calls `report` with the share of the work that is done, from 0 to 1."""

    def __init__(self, report):
        self._report = report
        self._range = 0

    def start(self, _text, range_):
        self._range = range_

    def setValue(self, value):
        if self._range > 0:
            self._report(min(1.0, max(0.0, value / self._range)))

    def setText(self, _text):
        pass

    def end(self):
        pass

    def reset(self):
        pass


def _kinds_of(continuation):
    return [kind.typeName for kind in continuation.getTypes()]
