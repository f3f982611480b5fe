"""Between Quire and LibreOffice: requests come in on standard input, a line of JSON each, and answers go out on
standard output. It starts soffice.bin, which dies with it; when standard input ends, both end.

    python3 bridge.py <soffice.bin> <directory> <name of the pipe>

Requests: {"id", "convert": task, "directory", "cpuSeconds", "progress"}, {"id", "warm": kind}, {"id", "ping": true},
{"id", "spread": true}: the conversion takes long, and is to have every processor.
Answers: {"ready": true} once; {"id", "progress": share}; {"id", "ok": true};
{"id", "ok": false, "kind", "message", "detail"}, where kind is that of a conversion error, or "fault";
{"ended": exit code of soffice.bin, null where it does not answer at its start} as the last.
"""

import json
import os
import queue
import sys
import threading

from conversion import convert
from office import Office, OfficeGone
from refusal import Refusal
from warming import warm

START_PATIENCE_S = 60
KEPT_DETAIL = 1000


class Bridge:
    def __init__(self, program, directory, pipe):
        self._directory = directory
        self._office = Office(program, directory, pipe)
        self._work = queue.Queue()
        self._pings = queue.Queue()
        self._writing = threading.Lock()

    def run(self):
        threading.Thread(target=self._read, daemon=True).start()
        try:
            self._office.start(START_PATIENCE_S)
        except OfficeGone as gone:
            self._end({"ended": gone.code})
        threading.Thread(target=self._watch, daemon=True).start()
        threading.Thread(target=self._answer_pings, daemon=True).start()
        self._write({"ready": True})
        while True:
            self._perform(self._work.get())

    def _read(self):
        for line in sys.stdin.buffer:
            request = json.loads(line)
            if "spread" in request:
                self._office.spread()
                self._write({"id": request["id"], "ok": True})
            else:
                (self._pings if "ping" in request else self._work).put(request)
        self._office.kill()
        os._exit(0)

    def _watch(self):
        self._end({"ended": self._office.wait()})

    def _answer_pings(self):
        while True:
            request = self._pings.get()
            try:
                self._office.ping()
            except Exception:  # whoever watches soffice.bin says what has become of it
                continue
            self._write({"id": request["id"], "ok": True})

    def _perform(self, request):
        number = request["id"]
        try:
            if "warm" in request:
                warm(self._office, self._directory, request["warm"])
            else:
                self._convert(request)
            self._write({"id": number, "ok": True})
        except Refusal as refusal:
            self._fail(number, refusal.kind, refusal.message, refusal.__cause__)
        except Exception as error:
            if not self._is_alive():
                # The last thing that is said then is that it has ended.
                threading.Event().wait()
            self._fail(number, "fault", "the conversion failed", error)

    def _convert(self, request):
        number = request["id"]

        def report(share):
            self._write({"id": number, "progress": share})

        self._office.allow_cpu(request["cpuSeconds"])
        directory = os.path.join(self._directory, request["directory"])
        self._office.gather()
        try:
            convert(self._office, directory, request["convert"], report if request.get("progress") else None)
        finally:
            self._office.spread()

    def _is_alive(self):
        try:
            self._office.ping()
            return True
        except Exception:
            if not self._office.is_gone():
                # Without a connection it is of no use.
                self._office.kill()
            return False

    def _fail(self, number, kind, message, error):
        detail = "" if error is None else "%s: %s" % (type(error).__name__, error)
        self._write({"id": number, "ok": False, "kind": kind, "message": message, "detail": detail[:KEPT_DETAIL]})

    def _end(self, answer):
        self._write(answer)
        os._exit(0)

    def _write(self, answer):
        line = json.dumps(answer) + "\n"
        with self._writing:
            sys.stdout.write(line)
            sys.stdout.flush()


if __name__ == "__main__":
    Bridge(*sys.argv[1:]).run()
