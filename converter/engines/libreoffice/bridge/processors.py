"""On which processors the threads of some processes run."""

import ctypes
import os

_libc = ctypes.CDLL(None)


class Processors:
    """Those of this process and of one that it has started. Where they may not be chosen, nothing is done."""

    def __init__(self):
        self._all = os.sched_getaffinity(0)

    def gather(self, pid):
        """Has both run where this thread runs now, which is where the scheduler found room a moment ago. In a short
        conversion they wait for each other some hundred times: to wake another processor each time takes longer than the
        work, above all on virtual machines."""
        self._place(pid, {_libc.sched_getcpu()})

    def spread(self, pid):
        """Leaves the choice to the scheduler again, which a long conversion needs: others may want the same processor."""
        self._place(pid, self._all)

    def _place(self, pid, processors):
        if len(self._all) == 1:
            return
        for thread in _threads_of(os.getpid()) + _threads_of(pid):
            try:
                os.sched_setaffinity(thread, processors)
            except OSError:  # it has ended, or somebody else decides about processors
                pass


def _threads_of(process):
    try:
        return [int(thread) for thread in os.listdir("/proc/%d/task" % process)]
    except OSError:  # it has ended
        return []
