"""One conversion: a document is loaded, changed by steps, written and closed."""

import os
import time

import steps
import uno
from com.sun.star.io import IOException
from com.sun.star.lang import IllegalArgumentException
from com.sun.star.util import CloseVetoException
from descriptor import descriptor, descriptor_member, protection
from interaction import Indicator, Questions
from refusal import Refusal

NEVER_EXECUTE = 0
NO_UPDATE = 0
# A message that says how far things are is not sent more often.
PROGRESS_PAUSE_S = 0.2
# Loading and writing take about the same time.
LOADING_SHARE = 0.5


class Workplace:
    """What steps are given beside the document."""

    def __init__(self, context, desktop, directory):
        self._context = context
        self.desktop = desktop
        self.directory = directory

    def service(self, name):
        return self._context.getServiceManager().createInstanceWithContext(name, self._context)


def convert(office, directory, task, report):
    """`report` is called with the share that is done; None when nobody wants to know. Raises Refusal."""
    progress = None if report is None else _Progress(report)
    document = _load(office.desktop, directory, task["source"], progress)
    try:
        workplace = Workplace(office.context, office.desktop, directory)
        for step in task["steps"]:
            _perform(workplace, document, step)
        outputs = task["outputs"]
        for position, output in enumerate(outputs):
            if progress is not None:
                progress.enter_part(position, len(outputs))
            _store(document, directory, output, progress)
    finally:
        _close(document)


def write_document(desktop, address, directory, output):
    """Loads what an address names and writes it."""
    document = desktop.loadComponentFromURL(address, "_blank", 0, descriptor({"Hidden": True}))
    try:
        _store(document, directory, output, None)
    finally:
        _close(document)


def _load(desktop, directory, source, progress):
    questions = Questions()
    loading = {
        "Hidden": True,
        "ReadOnly": False,
        "MacroExecutionMode": NEVER_EXECUTE,
        "UpdateDocMode": NO_UPDATE,
        "InteractionHandler": questions,
        "FilterName": source.get("filter"),
        "FilterOptions": source.get("filterOptions"),
        "Password": source.get("password"),
        "StatusIndicator": progress and progress.indicator,
    }
    failure = None
    document = None
    try:
        document = desktop.loadComponentFromURL(_url(directory, source["file"]), "_blank", 0, descriptor(loading))
    except (IllegalArgumentException, IOException) as error:
        failure = error
    if questions.wanted_password and document is None:
        if source.get("password") is None:
            raise Refusal("passwordRequired", "the file is protected by a password")
        raise Refusal("wrongPassword", "the password is not the right one")
    if document is None:
        raise Refusal("corrupted", "the file is damaged, or not of its type") from failure
    return document


def _perform(workplace, document, step):
    try:
        steps.run_step(workplace, document, step)
    except steps.StepRefused as refused:
        raise Refusal("params", str(refused)) from refused


def _store(document, directory, output, progress):
    filter_data = output.get("filterData") or None
    writing = {
        "FilterName": output["filter"],
        "FilterOptions": output.get("filterOptions"),
        "FilterData": filter_data and descriptor_member(filter_data),
        **protection(output["filter"], output.get("password")),
        "Overwrite": True,
        "StatusIndicator": progress and progress.indicator,
    }
    document.storeToURL(_url(directory, output["file"]), descriptor(writing))


def _close(document):
    try:
        document.close(True)
    except CloseVetoException:
        document.dispose()


def _url(directory, name):
    path = os.path.realpath(os.path.join(directory, name))
    if not path.startswith(os.path.realpath(directory) + os.sep):
        raise ValueError("a path leads out of the directory of its job")
    return uno.systemPathToFileUrl(path)


class _Progress:
    def __init__(self, report):
        self._report = report
        self._from = 0.0
        self._width = LOADING_SHARE
        self._told_at = 0.0
        self._highest = 0.0
        self.indicator = Indicator(self._told)

    def enter_part(self, position, parts):
        self._width = (1 - LOADING_SHARE) / parts
        self._from = LOADING_SHARE + self._width * position

    def _told(self, share):
        done = self._from + self._width * share
        now = time.monotonic()
        if done <= self._highest or now < self._told_at + PROGRESS_PAUSE_S:
            return
        self._highest = done
        self._told_at = now
        self._report(done)
