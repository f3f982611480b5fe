import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';

/** How the lease of a worker runs. */
export interface LeaseRun {
  /** Another number than before: the lease had lapsed meanwhile. */
  run: number;
  /** When it ends, by {@link machineNowMs}. */
  untilMs: number;
}

/** A clock that all processes of a machine share and nobody sets, milliseconds. */
export const machineNowMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/**
 * What the primary process tells of its workers' leases in a file, by the ids of their nodes: a worker that was late reads there at
 * once, before it does anything else, whether its lease has been kept meanwhile. The answers that wait for it come after that.
 */
export class LeaseRuns {
  readonly #file: string;

  constructor(directory: string) {
    this.#file = path.join(directory, 'leases.json');
  }

  /** One write at a time. @throws Error when the file cannot be written */
  async write(runs: Readonly<Record<string, LeaseRun>>): Promise<void> {
    const written = `${this.#file}.new`;
    await writeFile(written, JSON.stringify(runs));
    await rename(written, this.#file);
  }

  /** Null when nothing is known of that node. */
  read(nodeId: string): LeaseRun | null {
    try {
      const runs = JSON.parse(readFileSync(this.#file, 'utf8')) as Record<string, LeaseRun>;
      return runs[nodeId] ?? null;
    } catch {
      return null;
    }
  }
}
