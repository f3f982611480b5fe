import { type Command, devices, maxProcesses, systemDirectories, type Visible } from './command.ts';

/**
 * Takes rights from this process for good, then becomes the program: no new rights by files that are set-user-id, a filter
 * of system calls (seccomp), and with `files` also a rule of the kernel on what may be read and written (Landlock).
 *
 * Arguments: `filter`, or `files` with the directory that may be written to, one for sockets or nothing, how many of the
 * arguments that follow may be read, and those; or `tree` with the working directory, how many may be read, and those; then
 * the program. `tree` is for the first process of namespaces of its own: it builds the file tree that `confinement.ts`
 * describes by calls of the kernel, where a shell would start some fifty programs, and stays as that first process.
 *
 * The filter refuses every socket but those between processes of this machine, and what only the administrator of a machine
 * or attacks its kernel calls: mounts, namespaces, tracing, modules, keys, io_uring. Numbers are those of the kernel's
 * tables for x86-64 and for 64-bit ARM.
 */
const program = `
import ctypes, os, struct, sys

libc = ctypes.CDLL(None, use_errno=True)

def call(number, *arguments):
    result = libc.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result

tables = {
    "x86_64": (0xC000003E, 56, 41, 16, 157, 317, 126, [
        101, 103, 134, 136, 153, 154, 155, 156, 159, 161, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174,
        175, 176, 177, 178, 179, 180, 212, 227, 246, 248, 249, 250, 256, 272, 279, 298, 300, 303, 304, 305, 308, 310,
        311, 312, 313, 320, 321, 323]),
    "aarch64": (0xC00000B7, 220, 198, 29, 167, 277, 91, [
        18, 39, 40, 41, 42, 51, 58, 60, 89, 97, 104, 105, 106, 112, 116, 117, 142, 161, 162, 170, 171, 217, 218, 219,
        224, 225, 238, 239, 241, 262, 264, 265, 266, 268, 270, 271, 272, 273, 280, 282, 294]),
}
common = [425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442, 443, 447]
CLONE3, AF_UNIX, NAMESPACES, TERMINAL_INPUT = 435, 1, 0x7E020000, (0x5412, 0x541C)
ALLOW, KILL, REFUSE = 0x7FFF0000, 0x80000000, 0x00050000
EPERM, EACCES, ENOSYS = 1, 13, 38
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06

machine = os.uname().machine
if machine not in tables:
    sys.exit("no filter of system calls is known for " + machine)
arch, CLONE, SOCKET, IOCTL, PRCTL, SECCOMP, CAPSET, refused = tables[machine]

code = []
def op(kind, value, yes=0, no=0):
    code.append(struct.pack("=HBBI", kind, yes, no, value))

op(LOAD, 4)
op(EQUAL, arch, 1, 0)
op(RETURN, KILL)
op(LOAD, 0)
op(AT_LEAST, 0x40000000, 0, 1)
op(RETURN, REFUSE | EPERM)
for number in refused + common:
    op(EQUAL, number, 0, 1)
    op(RETURN, REFUSE | EPERM)
op(EQUAL, CLONE3, 0, 1)
op(RETURN, REFUSE | ENOSYS)
op(EQUAL, CLONE, 0, 4)
op(LOAD, 16)
op(ANY_BIT, NAMESPACES, 0, 1)
op(RETURN, REFUSE | EPERM)
op(RETURN, ALLOW)
op(EQUAL, SOCKET, 0, 4)
op(LOAD, 16)
op(EQUAL, AF_UNIX, 1, 0)
op(RETURN, REFUSE | EACCES)
op(RETURN, ALLOW)
op(EQUAL, IOCTL, 0, 4)
op(LOAD, 24)
op(EQUAL, TERMINAL_INPUT[0], 1, 0)
op(EQUAL, TERMINAL_INPUT[1], 0, 1)
op(RETURN, REFUSE | EPERM)
op(RETURN, ALLOW)

def hold_files(writable, sockets, readable):
    CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
    abi = call(CREATE_RULESET, None, 0, 1)
    everything = (1 << (13 if abi < 2 else 14 if abi < 3 else 15 if abi < 5 else 16)) - 1
    reading, file_only = 0b1101, 0b0110 | (1 << 14) | 1 | (1 << 15)
    attributes = struct.pack("=QQQ", everything, 0, 3 if abi >= 6 else 0)
    attributes = attributes[: 24 if abi >= 6 else 16 if abi >= 4 else 8]
    rules = call(CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
    def allow(path, access):
        try:
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except FileNotFoundError:
            return
        if not os.path.isdir(path):
            access &= file_only
        call(ADD_RULE, rules, 1, struct.pack("=Qi", access & everything, place), 0)
        os.close(place)
    allow(writable, everything)
    if sockets:
        allow(sockets, 1 << 9 | 1 << 5)
    for path in readable:
        allow(path, reading)
    for path in ${JSON.stringify(devices)}:
        allow(path, reading | 0b10 | (1 << 14))
    call(RESTRICT_SELF, rules, 0)
    os.close(rules)

def in_own_tree(work, readable):
    RDONLY, NOSUID, NODEV, NOEXEC, REMOUNT, BIND = 1, 2, 4, 8, 32, 4096
    STAYING, RELATIVE_ATIME, MS_RELATIVE_ATIME = NOSUID | NODEV | NOEXEC | 1024 | 2048, 4096, 1 << 21
    root = work + "/root"
    def mount(source, target, kind, flags, options=None):
        text = [None if one is None else os.fsencode(one) for one in (source, target, kind, options)]
        if libc.mount(text[0], text[1], text[2], ctypes.c_ulong(flags), text[3]) < 0:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code), target)
    def show(path):
        if os.path.isdir(path):
            os.makedirs(root + path, exist_ok=True)
        else:
            os.makedirs(os.path.dirname(root + path), exist_ok=True)
            open(root + path, "a").close()
        mount(path, root + path, None, BIND)
    def lock(path):
        kept = os.statvfs(root + path).f_flag
        flags = kept & STAYING | (MS_RELATIVE_ATIME if kept & RELATIVE_ATIME else 0)
        try:
            mount(None, root + path, None, REMOUNT | BIND | RDONLY | flags)
        except OSError:
            if os.access(root + path, os.W_OK):
                raise
    os.makedirs(root, exist_ok=True)
    mount("none", root, "tmpfs", 0, "mode=755,size=1m")
    for place in ${JSON.stringify(systemDirectories)}:
        if os.path.islink(place):
            os.symlink(os.readlink(place), root + place)
        elif os.path.isdir(place):
            show(place)
            lock(place)
    os.mkdir(root + "/dev")
    os.mkdir(root + "/proc")
    for device in ${JSON.stringify(devices)}:
        show(device)
    if os.path.isdir(work + "/temporary"):
        os.mkdir(root + "/tmp")
        mount(work + "/temporary", root + "/tmp", None, BIND)
    mount("none", root + "/proc", "proc", NOSUID | NODEV | NOEXEC)
    for path in readable:
        if os.path.exists(path):
            show(path)
            lock(path)
    show(work)
    mount(None, root, None, REMOUNT | BIND | RDONLY)
    most = resource.getrlimit(resource.RLIMIT_NPROC)[1]
    most = ${maxProcesses} if most == resource.RLIM_INFINITY else min(most, ${maxProcesses})
    resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
    os.chroot(root)
    os.chdir(work)

def run_as_second():
    program = os.fork()
    if program == 0:
        return
    while True:
        ended, status = os.wait()
        if ended == program:
            os._exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))

rest = sys.argv[2:]
if sys.argv[1] == "tree":
    import resource
    count = int(rest[1])
    in_own_tree(rest[0], rest[2 : 2 + count])
    rest = rest[2 + count :]
    run_as_second()

NO_NEW_PRIVILEGES, DROP_CAPABILITY = 38, 24
call(PRCTL, NO_NEW_PRIVILEGES, 1, 0, 0, 0)
for capability in range(64):
    libc.syscall(ctypes.c_long(PRCTL), DROP_CAPABILITY, capability, 0, 0, 0)
if sys.argv[1] == "tree":
    call(CAPSET, struct.pack("=Ii", 0x20080522, 0), bytes(24))
if sys.argv[1] == "files":
    count = int(rest[2])
    hold_files(rest[0], rest[1], rest[3 : 3 + count])
    rest = rest[3 + count :]
text = ctypes.create_string_buffer(b"".join(code))
filter_program = struct.pack("HxxxxxxQ", len(code), ctypes.addressof(text))
call(SECCOMP, 1, 0, filter_program)
os.execvp(rest[0], rest)
`;

const interpreter = ['python3', '-I', '-S', '-c', program] as const;

/** The command with which a program runs under the filter of system calls: no network, whatever else it may do. */
export const filtered = (command: Command): Command => [...interpreter, 'filter', ...command];

/** Builds a file tree of its own, as the first process of namespaces that are there, and runs the program in it under the filter. */
export const filteredInTree = (command: Command, { readable, directory }: Visible): Command => [
  ...interpreter,
  'tree',
  directory,
  String(readable.length),
  ...readable,
  ...command,
];

/**
 * The same, and the program reads and writes only what is visible to it, by a rule of the kernel (Landlock). It can list
 * processes; their memory, environment and files the same rule keeps from it, and from Linux 6.12 their signals.
 */
export function withFileRules(
  command: Command,
  { readable, directory, socketDirectory = '' }: Visible,
): Command {
  const seen = [...systemDirectories, '/proc', ...readable];
  return [...interpreter, 'files', directory, socketDirectory, String(seen.length), ...seen, ...command];
}
