import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { eventually } from './eventually.ts';

/**
 * Resolves when somebody listens on a port of this machine.
 *
 * @param child the program that is to listen; when it ends, nobody will
 * @throws WaitError
 */
export async function listening(name: string, port: number, child: ChildProcess): Promise<void> {
  const state = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return 'has ended';
    return (await answers(port)) ? 'listens' : `does not listen on ${port}`;
  };
  const last = await eventually(state, (one) => one === 'listens' || one === 'has ended');
  if (last !== 'listens') throw new Error(`${name} ${last} (${child.exitCode ?? child.signalCode}).`);
}

async function answers(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1');
  const connected = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return connected;
}
