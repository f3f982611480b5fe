import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Before the name of a place: an error is thrown there. */
const throwing = 'throw:';

/**
 * Places in the code where a test may end the process once, at a named moment: as a power cut would (`kill -9`), or by an error
 * that nobody catches. A process that starts after it finds the mark in the data directory and lives on. Without a name armed,
 * nothing happens.
 */
export function faultPoints(armed: string | undefined, dataDirectory: string): (name: string) => void {
  if (armed === undefined) return () => undefined;
  const throws = armed.startsWith(throwing);
  const place = throws ? armed.slice(throwing.length) : armed;
  const mark = path.join(dataDirectory, `fault-${armed.replaceAll(':', '-')}`);
  return (name) => {
    if (name !== place || existsSync(mark)) return;
    mkdirSync(dataDirectory, { recursive: true });
    writeFileSync(mark, '');
    if (throws) throwUncaught(`The fault point ${name} is armed`);
    else process.kill(process.pid, 'SIGKILL');
  };
}

/** Not at once: whoever came to the place might catch it. */
function throwUncaught(message: string): void {
  queueMicrotask(() => {
    throw new Error(message);
  });
}
