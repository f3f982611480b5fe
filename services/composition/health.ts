import type { Logger } from 'pino';
import type { BoundedPool } from '../../db/pool.ts';
import type { QueueInspector } from '../../jobs/queue-inspector.ts';
import { blobDirectory } from '../../platform/adapters/file-blob-store.ts';
import type { RedisConnection } from '../../platform/adapters/redis/redis-connection.ts';
import type { Config } from '../../platform/config.ts';
import { watchHealth } from '../../platform/metrics/health.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { PartHealth, type PartProbe } from '../../platform/part-health.ts';
import type { BlobStore } from '../../platform/ports/blob-store.ts';
import type { NodeLeases } from '../../platform/ports/coordination.ts';
import { askDatabase, askStore } from '../../platform/probes.ts';
import type { Shutdown } from './shutdown.ts';

/** Parts are looked at this often also while nobody asks, so that the log says when one failed. */
const lookEveryMs = 5_000;
/** A converter takes some seconds to start, on a busy machine more. */
const converterStartMs = 30_000;

interface HealthNeeds {
  config: Config;
  pool: BoundedPool;
  blobs: BlobStore;
  /** Null on a server that is the only one. */
  nodes: { leases: NodeLeases } | null;
  /** Null on a server that is the only one, and where workers share through their primary process. */
  redis: RedisConnection | null;
  inspector: QueueInspector;
  metrics: Metrics;
  isLeaving: () => boolean;
  log: Logger;
}

/** How the parts of this node are, for its health check, its metrics, its log and operators. */
export function composeHealth(needs: HealthNeeds, shutdown: Shutdown): PartHealth {
  const { config, metrics, isLeaving, log } = needs;
  const health = new PartHealth(probesOf(needs), ({ part, isUp, reason }, before) => {
    if (isUp === false) log.error({ part, reason }, 'A part of this node does not work');
    else if (isUp && before.isUp !== null) {
      log.info({ part, downMs: Date.now() - before.sinceMs }, 'A part of this node works again');
    }
  });
  shutdown.repeat(lookEveryMs, () => health.look(), 'The parts of this node could not be looked at');
  const directories: Record<string, string> = { data: config.dataDir };
  if (config.blobStore === 'files') directories.files = blobDirectory(config);
  watchHealth(metrics.registry, { parts: health, isLeaving, directories });
  return health;
}

function probesOf({ pool, blobs, nodes, redis, inspector }: HealthNeeds): PartProbe[] {
  const ofRedis: PartProbe[] = redis
    ? [
        {
          part: 'redis',
          ask: async () => {
            if (!(await redis.answers())) return 'it does not answer';
            // A Redis that lost its data has forgotten the lease, and everybody is sent away when that is noticed: here
            // it is, before others come.
            await nodes?.leases.living();
            return null;
          },
          isNeeded: true,
          whenSilent: 'down',
        },
      ]
    : [];
  return [
    { part: 'database', ask: () => askDatabase(pool.urgent), isNeeded: true, whenSilent: 'down' },
    ...ofRedis,
    { part: 'files', ask: () => askStore(blobs), isNeeded: true, whenSilent: 'down' },
    {
      part: 'converters',
      ask: async () => ((await inspector.workers()).length > 0 ? null : 'no converter takes jobs'),
      isNeeded: false,
      // They are asked through the job queue, which may itself be away.
      whenSilent: 'unknown',
      startsWithinMs: converterStartMs,
    },
  ];
}
