import { type ChildProcess, spawn } from 'node:child_process';
import type { Server } from 'node:net';

/** What a server of Node has for itself. `_listen2` is its oldest way to listen, which asks no primary process. */
interface InnerServer {
  _handle: Handle;
  _listen2: (address: null, port: -1, addressType: -1, backlog: number) => void;
}
type Handle = Parameters<ChildProcess['send']>[1];

/** Sends back what it is sent. A handle that goes from one process to another is a new one, of the same socket. */
const echo = "process.on('message', (number, handle) => process.send(number, handle))";

/** The longest that the process which sends handles back may take, milliseconds. */
const deadlineMs = 10_000;

/**
 * So many more handles of the socket at which a server listens, for {@link listenAt}. Node can duplicate a handle only by sending
 * it to another process, so for a moment there is one (about 45 ms of processor time). Throws when that process cannot be
 * started, or says nothing for ten seconds.
 */
export async function duplicatesOf(server: Server, count: number): Promise<Handle[]> {
  const { _handle: handle } = server as unknown as InnerServer;
  const child = spawn(process.execPath, ['-e', echo], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  try {
    return await new Promise((resolve, reject) => {
      const duplicates: Handle[] = [];
      child.on('error', reject);
      child.on('exit', (code) => reject(new Error(`The process that sends handles back ended with ${code}`)));
      child.on('message', (_number, duplicate) => {
        duplicates.push(duplicate);
        if (duplicates.length === count) resolve(duplicates);
      });
      for (let number = 0; number < count; number += 1) child.send(number, handle);
      setTimeout(() => reject(new Error('No handle came back')), deadlineMs).unref();
    });
  } finally {
    child.kill('SIGKILL');
  }
}

/** Lets the server accept connections from this handle. In a process of `node:cluster`, its `listen` would ask the primary for another. */
export function listenAt(server: Server, handle: Handle, backlog: number): void {
  const inner = server as unknown as InnerServer;
  inner._handle = handle;
  inner._listen2(null, -1, -1, backlog);
}
