import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const command = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..', 'bin', 'quire.js');

/** A server of its own for the demonstration, started as anybody would start it. */
export interface DemoServer {
  address: string;
  database: string;
  stop(): Promise<void>;
}

/** Starts `quire serve` on a directory and resolves when it is ready. */
export async function startServer(dataDirectory: string, secret: string): Promise<DemoServer> {
  const child = spawn(process.execPath, [command, 'serve'], {
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDirectory,
      JWT_SECRET: secret,
      LOG_FORMAT: 'json',
      CLOSING_GRACE_MS: '1000',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ready = await readyLine(child);
  return {
    ...ready,
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function readyLine(child: ChildProcess): Promise<{ address: string; database: string }> {
  const lines = createInterface({ input: child.stdout! });
  for await (const line of lines) {
    const entry = JSON.parse(line) as { msg: string; address: string; database: string };
    if (entry.msg === 'Quire is ready') {
      // The rest of the log is read and dropped: a full pipe would stop the server.
      lines.on('line', () => undefined);
      child.stdout!.resume();
      return entry;
    }
    if (entry.msg.includes('could not start')) throw new Error(line);
  }
  throw new Error('the server ended before it was ready');
}
