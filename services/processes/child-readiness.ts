import type { ChildProcess } from 'node:child_process';

const readyMessage = 'ready';

/** In a process that a server started: tells it that this one takes work. */
export function tellReady(): void {
  if (process.connected) process.send?.(readyMessage, undefined, undefined, () => undefined);
}

/** Resolves when a process takes work, or has ended without. */
export function whenReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.on('message', (message) => {
      if (message === readyMessage) resolve();
    });
    child.once('close', () => resolve());
  });
}
