"""One soffice.bin with a profile of its own, reached through a named pipe."""

import ctypes
import math
import os
import resource
import signal
import subprocess
import time

import uno
from com.sun.star.connection import NoConnectException
from processors import Processors

# What soffice.bin ends with when it has written a new profile and wants to be started anew.
RESTART_WANTED = 81
PR_SET_PDEATHSIG = 1
CONNECT_PAUSE_S = 0.01
GONE_PATIENCE_S = 1
# By so much the kernel counts more against the limit than it says afterwards.
CPU_SLACK_S = 0.5

_libc = ctypes.CDLL(None)


class OfficeGone(Exception):
    """soffice.bin has ended with this code, or does not answer: None."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


class Office:
    """`directory` is where it may write, `pipe` the name of the pipe."""

    def __init__(self, program, directory, pipe):
        self._directory = directory
        self._program = program
        self._pipe = pipe
        self._process = None
        self._services = None
        self._cpu_before_s = 0
        self._cpu_limit_s = math.inf
        self._processors = Processors()
        self.context = None
        self.desktop = None

    def start(self, patience_s):
        until = time.monotonic() + patience_s
        self._spawn()
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstance("com.sun.star.bridge.UnoUrlResolver")
        address = "uno:pipe,name=%s;urp;StarOffice.ComponentContext" % self._pipe
        while True:
            try:
                self.context = resolver.resolve(address)
                self._services = self.context.getServiceManager()
                desktop = "com.sun.star.frame.Desktop"
                self.desktop = self._services.createInstanceWithContext(desktop, self.context)
                return
            except NoConnectException:
                code = self._process.poll()
                if code == RESTART_WANTED:
                    self._spawn()
                elif code is not None:
                    raise OfficeGone(code)
                if time.monotonic() > until:
                    raise OfficeGone(None)
                time.sleep(CONNECT_PAUSE_S)

    def ping(self):
        """A call that needs no lock of the application: it is answered while a document is converted."""
        self._services.hasElements()

    def gather(self):
        """Has soffice.bin run on the processor of this thread."""
        self._processors.gather(self._process.pid)

    def spread(self):
        """Has it run on every processor."""
        self._processors.spread(self._process.pid)

    def allow_cpu(self, seconds):
        """Processor time from now on; when it is over the kernel ends the process."""
        hard = resource.prlimit(self._process.pid, resource.RLIMIT_CPU)[1]
        soft = int(self._cpu_seconds()) + seconds
        if hard == resource.RLIM_INFINITY or soft < hard:
            resource.prlimit(self._process.pid, resource.RLIMIT_CPU, (soft, hard))
            self._cpu_limit_s = soft

    def wait(self):
        """The exit code, negative for a signal. LibreOffice catches the signals of limits and ends as if it had crashed:
        that it was at one of them says which signal it was."""
        code = self._process.wait()
        if code in (0, -signal.SIGKILL):
            return code
        if _ended_cpu_seconds() - self._cpu_before_s >= self._cpu_limit_s - CPU_SLACK_S:
            return -signal.SIGXCPU
        return -signal.SIGXFSZ if self._has_largest_file() else code

    def is_gone(self):
        """A connection breaks a moment before its process has ended."""
        try:
            self._process.wait(GONE_PATIENCE_S)
        except subprocess.TimeoutExpired:
            return False
        return True

    def kill(self):
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _cpu_seconds(self):
        with open("/proc/%d/stat" % self._process.pid, "rb") as stat:
            fields = stat.read().rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _has_largest_file(self):
        limit = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
        if limit == resource.RLIM_INFINITY:
            return False
        files = (os.path.join(place, name) for place, _, names in os.walk(self._directory) for name in names)
        return any(os.lstat(file).st_size >= limit for file in files)

    def _spawn(self):
        self._cpu_before_s = _ended_cpu_seconds()
        command = [
            self._program,
            "--headless",
            "--invisible",
            "--norestore",
            "--nologo",
            "--nodefault",
            "--nolockcheck",
            "--nofirststartwizard",
            "--accept=pipe,name=%s;urp;" % self._pipe,
            "-env:UserInstallation=" + uno.systemPathToFileUrl(os.path.join(self._directory, "profile")),
        ]
        services = os.path.join(self._directory, "services.rdb")
        if os.path.exists(services):
            command.append("-env:URE_MORE_SERVICES=" + uno.systemPathToFileUrl(services))
        self._process = subprocess.Popen(
            command,
            cwd=self._directory,
            stdin=subprocess.DEVNULL,
            stdout=2,
            preexec_fn=_die_with_parent,
        )


def _ended_cpu_seconds():
    """Processor time of the processes that this one has started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _die_with_parent():
    """In soffice.bin before it begins: the kernel ends it when the bridge ends, however that happens."""
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
