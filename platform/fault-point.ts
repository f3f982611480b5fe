import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Places in the code where a test may end the process as a power cut would: `kill -9` at a named moment, once. A process
 * that starts after it finds the mark in the data directory and lives on. Without a name armed, nothing happens.
 */
export function faultPoints(armed: string | undefined, dataDirectory: string): (name: string) => void {
  if (armed === undefined) return () => undefined;
  const mark = path.join(dataDirectory, `fault-${armed.replaceAll(':', '-')}`);
  return (name) => {
    if (name !== armed || existsSync(mark)) return;
    mkdirSync(dataDirectory, { recursive: true });
    writeFileSync(mark, '');
    process.kill(process.pid, 'SIGKILL');
  };
}
