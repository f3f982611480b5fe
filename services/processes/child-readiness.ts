import type { ChildProcess } from 'node:child_process';

const readyMessage = 'ready';

/** For a child process: reports to the server that started it that it takes work. */
export function reportReady(): void {
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
