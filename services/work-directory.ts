import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { NodeLeases } from '../platform/ports/coordination.ts';

/** A directory that its node has not touched for this long is removed. Long enough for clocks that differ a little. */
const abandonedAfterMs = 600_000;
/** Where unfinished files were kept before every node had a directory of its own. */
const formerNames = ['incoming', 'sent'];

/**
 * Where a process keeps unfinished files, such as downloads. Each node has a directory of its own under `DATA_DIR/nodes`, since
 * several nodes may share `DATA_DIR`. Any node removes what a dead one left.
 */
export class WorkDirectory {
  readonly path: string;
  readonly #parent: string;
  readonly #leases: NodeLeases | null;

  private constructor(parent: string, nodeId: string, leases: NodeLeases | null) {
    this.#parent = parent;
    this.path = path.join(parent, nodeId);
    this.#leases = leases;
  }

  /** `leases` is null for the only node: then everything that is there was left by a dead process. */
  static async open(dataDir: string, nodeId: string, leases: NodeLeases | null): Promise<WorkDirectory> {
    const directory = new WorkDirectory(path.join(dataDir, 'nodes'), nodeId, leases);
    for (const name of leases ? [] : formerNames) {
      await rm(path.join(dataDir, name), { recursive: true, force: true });
    }
    await mkdir(directory.path, { recursive: true });
    await directory.sweep();
    return directory;
  }

  /** Shows that this node lives, and removes what dead ones left. To be called more often than every ten minutes. */
  async sweep(): Promise<void> {
    await mkdir(this.path, { recursive: true });
    const now = new Date();
    await utimes(this.path, now, now);
    const living = await this.#leases?.living();
    for (const name of await readdir(this.#parent)) {
      const directory = path.join(this.#parent, name);
      if (directory === this.path || living?.has(name)) continue;
      if (living && (await ageMs(directory)) < abandonedAfterMs) continue;
      await rm(directory, { recursive: true, force: true });
    }
  }

  /** Called when this process has nothing under way any more. */
  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}

/** Since when a directory was not touched; 0 when it is gone. */
async function ageMs(directory: string): Promise<number> {
  const found = await stat(directory).catch(() => null);
  return found ? Date.now() - found.mtimeMs : 0;
}
