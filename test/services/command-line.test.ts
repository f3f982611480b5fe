import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('../../bin/quire.js', import.meta.url));
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'quire-command-line-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** A command, as it is run by hand. */
async function quire(...args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[code], output, errors] = await Promise.all([
    once(child, 'exit') as Promise<[number]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, output, errors };
}

describe('the command line', () => {
  it.for([
    { args: ['secert'], said: "unknown command 'secert'\n(Did you mean secret?)" },
    { args: ['nonsense', 'more'], said: "unknown command 'nonsense'" },
    { args: ['--nonsense'], said: "unknown option '--nonsense'" },
    { args: ['admin', 'nodse'], said: "unknown command 'nodse'\n(Did you mean nodes?)" },
    { args: ['doctor', '--job-timeout', 'soon'], said: "argument 'soon' is invalid. 1 to 86400 seconds." },
    {
      args: ['doctor', '--job-timeout', '3000000'],
      said: "argument '3000000' is invalid. 1 to 86400 seconds.",
    },
    {
      args: ['blobs', 'copy', '--to', 's3', '--concurrency', '4x'],
      said: "argument '4x' is invalid. 1 to 256.",
    },
  ])('[OP21] $args is refused with a sentence, and nothing is begun', async ({ args, said }) => {
    const { code, output, errors } = await quire(...args);
    expect(errors).toContain(said);
    expect(errors).not.toContain('serve');
    expect(output).toBe('');
    expect(code).toBeGreaterThan(0);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('[OP21] the help says which command it is without one', async () => {
    const { code, output } = await quire('--help');
    expect(output).toContain('Without a command it is serve.');
    expect(code).toBe(0);
  });
});
