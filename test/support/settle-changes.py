"""Has LibreOffice accept or reject all tracked changes of the docx in a folder, and writes each as flat ODF beside it."""

import os
import sys

bridge, program, folder, command = sys.argv[1:]
sys.path.insert(0, bridge)

import uno  # noqa: E402
from descriptor import descriptor  # noqa: E402
from office import Office  # noqa: E402

START_PATIENCE_S = 120


def settle(office, dispatcher, file):
    hidden = descriptor({"Hidden": True})
    document = office.desktop.loadComponentFromURL(uno.systemPathToFileUrl(file), "_blank", 0, hidden)
    frame = document.getCurrentController().getFrame()
    dispatcher.executeDispatch(frame, ".uno:" + command, "", 0, ())
    flat = descriptor({"FilterName": "OpenDocument Text Flat XML"})
    document.storeToURL(uno.systemPathToFileUrl(os.path.splitext(file)[0] + ".fodt"), flat)
    document.close(True)


office = Office(program, folder, "quire-settling-%d" % os.getpid())
office.start(START_PATIENCE_S)
try:
    services = office.context.getServiceManager()
    dispatcher = services.createInstanceWithContext("com.sun.star.frame.DispatchHelper", office.context)
    for name in sorted(os.listdir(folder)):
        if name.endswith(".docx"):
            settle(office, dispatcher, os.path.join(folder, name))
finally:
    office.kill()
