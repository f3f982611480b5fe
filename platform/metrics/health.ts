import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { Gauge, type Registry } from 'prom-client';
import { canWork, type PartHealth } from '../part-health.ts';
import { sharedQuery } from './conventions.ts';

/** What is asked when somebody asks for the metrics of a node's health. */
interface WatchedHealth {
  parts: Pick<PartHealth, 'look'>;
  /** Whether the node sends people elsewhere because it stops or is drained. */
  isLeaving: () => boolean;
  /** Directories whose file systems are watched, by what they hold. */
  directories: Readonly<Record<string, string>>;
}

/** Whether the parts work that a node needs, and how much room its disks have. */
export function watchHealth(registry: Registry, watched: WatchedHealth): void {
  const registers = [registry];
  new Gauge({
    name: 'quire_part_up',
    help: 'Whether a part works that this node needs: `database`, `redis` (where there is one), `files` (the directory or bucket takes a file), `converters` (at least one takes jobs). 1 or 0; NaN while that is not known.',
    labelNames: ['part'] as const,
    registers,
    async collect() {
      for (const { part, isUp } of await watched.parts.look())
        this.set({ part }, isUp === null ? Number.NaN : Number(isUp));
    },
  });
  new Gauge({
    name: 'quire_ready',
    help: 'Whether this node says that it is ready, as `/healthcheck/ready` does: 1, or 0 while a part is away, and while it stops or is drained.',
    registers,
    async collect() {
      this.set(Number(canWork(await watched.parts.look()) && !watched.isLeaving()));
    },
  });
  const disks = sharedQuery(() => spaceOf(watched.directories));
  const gaugeOfDisk = (name: string, help: string, bytesOf: (space: Space) => number) =>
    new Gauge({
      ...{ name, help, registers },
      labelNames: ['directory'] as const,
      async collect() {
        const known = (await disks()) ?? {};
        for (const directory of Object.keys(watched.directories)) {
          const space = known[directory];
          this.set({ directory }, space ? bytesOf(space) : Number.NaN);
        }
      },
    });
  gaugeOfDisk(
    'quire_disk_free_bytes',
    'Room that is left on the disk of a directory: `files` (`BLOB_DIR`; none with S3), `data` (`DATA_DIR`). NaN when it cannot be asked.',
    ({ freeBytes }) => freeBytes,
  );
  gaugeOfDisk(
    'quire_disk_size_bytes',
    'Size of the disk of a directory: `files`, `data`. NaN when it cannot be asked.',
    ({ sizeBytes }) => sizeBytes,
  );
}

interface Space {
  freeBytes: number;
  sizeBytes: number;
}

/** Of a directory, or of the one in which it will be made. Null when that cannot be asked. */
async function statsOf(directory: string): Promise<StatsFs | null> {
  try {
    return await statfs(directory);
  } catch (error) {
    const isMissing =
      (error as NodeJS.ErrnoException).code === 'ENOENT' && path.dirname(directory) !== directory;
    return isMissing ? statsOf(path.dirname(directory)) : null;
  }
}

/** Room on the file systems of some directories. Those that cannot be asked are left out. */
async function spaceOf(directories: Readonly<Record<string, string>>): Promise<Record<string, Space>> {
  const found = await Promise.all(
    Object.entries(directories).map(async ([name, directory]) => {
      const stats = await statsOf(directory);
      return stats
        ? [[name, { freeBytes: stats.bavail * stats.bsize, sizeBytes: stats.blocks * stats.bsize }] as const]
        : [];
    }),
  );
  return Object.fromEntries(found.flat());
}
