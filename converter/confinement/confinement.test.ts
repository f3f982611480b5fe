import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../platform/config.ts';
import { installFakeX2t } from '../../test/support/x2t.ts';
import { confinedOffice } from '../engines/libreoffice/office-room.ts';
import { findX2t } from '../engines/x2t/installation.ts';
import { runBounded } from './bounded-process.ts';
import type { Command } from './command.ts';
import {
  type Confinement,
  type ConfinementLevel,
  confined,
  confinementSentence,
  firstThatHolds,
  holdsFiles,
  unconfined,
} from './confinement.ts';
import { filtered } from './seal.ts';

const secret = 'what no document may show';
const limits = { timeoutMs: 20_000, memoryMb: 512, fileBytes: 1_048_576 };

let directory: string;
let outside: string;

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'quire-confinement-'));
  outside = path.join(directory, 'outside.txt');
  await writeFile(outside, secret);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const wanted: Record<Exclude<ConfinementLevel, 'limits'>, Confinement> = {
  namespaces: { level: 'namespaces', filtered: true },
  landlock: { level: 'landlock', filtered: true },
  'no-network': { level: 'no-network', filtered: true },
};
const possible = Object.fromEntries(
  await Promise.all(
    Object.entries(wanted).map(
      async ([level, confinement]) => [level, (await firstThatHolds([confinement])).level === level] as const,
    ),
  ),
);

/** What a program says that is held so. */
async function outputOf(command: Command, confinement: Confinement, stays = false): Promise<string> {
  const work = await mkdtemp(path.join(directory, 'work-'));
  const visible = { readable: [], directory: work, stays };
  const { output } = await runBounded(confined(command, visible, confinement), { directory: work, limits });
  return output;
}

const shell = (script: string): Command => ['/bin/sh', '-c', script];

/** Names of what it may do that it must not. */
const probe = (pid: number) => `
cat ${outside} 2>/dev/null && echo READ
(echo x > ${outside}.new) 2>/dev/null && echo WROTE
echo x > own.txt && cat own.txt >/dev/null && echo own
cat /proc/${pid}/environ >/dev/null 2>&1 && echo ENVIRONMENT
kill -0 ${pid} 2>/dev/null && echo SIGNAL
unshare --user true 2>/dev/null && echo NAMESPACE
cat /etc/passwd >/dev/null 2>&1 && echo PASSWD
python3 -I -S -c '
import socket
for kind in (socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK):
    try: socket.socket(kind, socket.SOCK_RAW if kind == socket.AF_NETLINK else socket.SOCK_STREAM); print("SOCKET")
    except OSError: pass
socket.socketpair(); print("pair")
' 2>/dev/null
grep -qE '^CapEff:.*[1-9a-f]' /proc/self/status 2>/dev/null && echo CAPABLE
true
`;

describe.skipIf(!possible.namespaces)('a program in namespaces of its own', () => {
  const runs = [
    ['for a job', false],
    ['for long', true],
  ] as const;

  it.each(runs)(
    '[CN1] reads, writes, reaches and signals nothing but its own, and cannot get more rights: %s',
    async (_, stays) => {
      expect(await outputOf(shell(probe(process.pid)), wanted.namespaces, stays)).toBe('own\npair\n');
    },
  );

  it.each(runs)(
    '[CN2] is ended by signals as others are, and what ended it is told: %s',
    async (_, stays) => {
      const work = await mkdtemp(path.join(directory, 'work-'));
      const visible = { readable: [], directory: work, stays };
      const command = confined(shell('kill -SEGV $$'), visible, wanted.namespaces);
      expect(await runBounded(command, { directory: work, limits })).toMatchObject({
        how: 'killed',
        signal: 'SIGSEGV',
      });
    },
  );
});

describe.skipIf(!possible.landlock)(
  'a program under rules of the kernel, where namespaces are forbidden',
  () => {
    it('[CN3] reads, writes and reaches nothing but its own, and cannot get more rights', async () => {
      const lines = (await outputOf(shell(probe(process.pid)), wanted.landlock)).trim().split('\n');
      // Signals are kept from others from Linux 6.12 on.
      expect(lines.filter((line) => line !== 'SIGNAL')).toEqual(['own', 'pair']);
    });
  },
);

describe('the strongest confinement', () => {
  it.skipIf(!possible.landlock)('[CN4] is found where no namespaces can be made', async () => {
    // The filter refuses them to whoever runs in it.
    const work = await mkdtemp(path.join(directory, 'work-'));
    const inner = confined(shell('true'), { readable: [], directory: work }, wanted.namespaces);
    const { exitCode } = await runBounded(filtered(inner), { directory: work, limits });
    expect(exitCode).not.toBe(0);
    const nested = confined(shell('echo held'), { readable: [], directory: work }, wanted.landlock);
    expect((await runBounded(filtered(nested), { directory: work, limits })).output).toBe('held\n');
  });

  it('[CN5] is none where nothing holds, which only an operator who says so gets', async () => {
    expect(await firstThatHolds([])).toEqual(unconfined);
    expect([...Object.values(wanted), unconfined].map(holdsFiles)).toEqual([true, true, false, false]);
    const x2tDir = path.join(directory, 'x2t');
    const { program } = await installFakeX2t(x2tDir);
    await writeFile(program, `#!/bin/sh\ncat ${outside} >/dev/null && echo "Version: 1.2.3"\n`);
    const config = (more: object) => loadConfig({ X2T_DIR: x2tDir, DATA_DIR: directory, ...more });
    await expect(findX2t(config({}))).rejects.toThrow(/CONVERTER_UNCONFINED=true/);
    for (const name of ['CONVERTER_UNCONFINED', 'X2T_UNCONFINED']) {
      expect(await findX2t(config({ [name]: 'true' }))).toMatchObject({ confinement: unconfined });
    }
  });

  it('[CN6] is told in a sentence that says what is open', () => {
    expect(confinementSentence(unconfined)).toMatch(/network and files of this machine are open/);
    expect(confinementSentence({ level: 'namespaces', filtered: false })).toMatch(
      /no filter of system calls/,
    );
    expect(confinementSentence(wanted['no-network'])).toMatch(/able to read files/);
  });
});

describe('how LibreOffice is started', () => {
  it('[CN7] has limits, and nothing of the environment of the server', async () => {
    const work = await mkdtemp(path.join(directory, 'work-'));
    const { command, environment } = confinedOffice(
      shell('env; ulimit -d; ulimit -f; ulimit -n; ulimit -c'),
      {
        confinement: unconfined,
        readable: [],
        directory: work,
        limits: { memoryMb: 512, fileBytes: 1_048_576 },
      },
    );
    expect(Object.keys(environment)).not.toContain('DATABASE_URL');
    expect(environment.HOME).toBe(work);
    const { output } = await runBounded(command, { directory: work, limits });
    expect(output.trim().split('\n').slice(-4)).toEqual(['524288', '2048', '1024', '0']);
  });
});
