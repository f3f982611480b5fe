import { cpuMsOf, sharedMemoryBytes } from '../process-usage.ts';
import type { Sample, Sampler } from '../result.ts';
import { type LocalProcess, LocalProcesses } from './local-processes.ts';
import { MetricsPage } from './metrics-page.ts';
import { ProcessNames, type UnnamedUsage } from './process-names.ts';
import { type MetricsPages, targetSeries } from './target-series.ts';

/** A page is there within two seconds, as docs/metrics.md promises, unless the server is beyond its limit. */
const patienceMs = 5_000;
/** How often new processes are looked for, such as those of new connections to PostgreSQL. */
const listEveryMs = 5_000;
const msPerS = 1_000;

/** The address of the metrics of a server, from an address that somebody named: of its page, or of the server. */
export function metricsUrlOf(address: string): URL {
  const url = new URL(address);
  if (url.pathname === '/' && url.search === '') url.pathname = '/metrics';
  return url;
}

/**
 * Looks at a target once an interval: at the metrics of each of its nodes, and at its processes where they run on this machine.
 * Without these, the metrics tell the CPU time and the memory of services and converters, and nothing tells those of PostgreSQL,
 * Redis and LibreOffice.
 *
 * Some metrics begin anew when somebody reads them, such as the longest delay of an event loop. With another reader (Prometheus)
 * beside this one, each sees only what came after the other.
 */
export class TargetSampler implements Sampler {
  readonly #urls: readonly URL[];
  readonly #local: LocalProcesses;
  readonly #names = new ProcessNames();
  #pages: MetricsPages = new Map();
  #readAtMs = 0;
  #found: Promise<void> | null = null;
  #listed: readonly LocalProcess[] = [];
  #listedAtMs = Number.NEGATIVE_INFINITY;

  /** @param metricsUrls of every node, and of converters that have a page of their own */
  constructor(metricsUrls: readonly URL[]) {
    this.#urls = metricsUrls;
    this.#local = new LocalProcesses(metricsUrls.map(portOf));
  }

  async sample(): Promise<Sample> {
    const startedMs = performance.now();
    const [pages, local] = await Promise.all([this.#read(), this.#localUsage().catch(() => [])]);
    const values =
      this.#pages.size === 0 ? [] : targetSeries(this.#pages, pages, (startedMs - this.#readAtMs) / msPerS);
    const processes = local.some(({ role }) => role === 'service') ? local : [...local, ...usageIn(pages)];
    if (pages.size > 0) [this.#pages, this.#readAtMs] = [pages, startedMs];
    return { values, processes: this.#names.named(processes) };
  }

  /** The pages of the nodes that answer. */
  async #read(): Promise<MetricsPages> {
    const pages = new Map<string, MetricsPage>();
    await Promise.all(
      this.#urls.map(async (url) => {
        try {
          const response = await fetch(url, { signal: AbortSignal.timeout(patienceMs) });
          if (response.ok) pages.set(url.href, new MetricsPage(await response.text()));
          else await response.body?.cancel();
        } catch {
          // A node that is away has no values.
        }
      }),
    );
    return pages;
  }

  async #localUsage(): Promise<UnnamedUsage[]> {
    this.#found ??= this.#local.find();
    await this.#found;
    const nowMs = performance.now();
    if (nowMs - this.#listedAtMs >= listEveryMs) {
      this.#listed = await this.#local.list();
      this.#listedAtMs = nowMs;
    }
    return Promise.all(this.#listed.map(usageOfProcess));
  }
}

async function usageOfProcess({ role, title, pid, others }: LocalProcess): Promise<UnnamedUsage> {
  const pids = [pid, ...others];
  // The time of what has ended goes to the process that has started it. A service is without its converters and its database.
  const cpu = await Promise.all(pids.map((one) => cpuMsOf(one, { withEnded: role !== 'service' })));
  return {
    ...{ role, title, pid, identity: String(pid) },
    cpuS: cpu.reduce((sum, ms) => sum + ms, 0) / msPerS,
    memoryBytes: await sharedMemoryBytes(pids),
  };
}

/** What services and converters say of themselves. */
function usageIn(pages: MetricsPages): UnnamedUsage[] {
  return [...pages].flatMap(([address, page]) =>
    (['service', 'converter'] as const).flatMap((role) => {
      const prefix = role === 'service' ? 'quire_' : 'quire_converter_';
      const memory = page.values(`${prefix}process_resident_memory_bytes`);
      return page.values(`${prefix}process_cpu_seconds_total`).map(({ labels, value }) => ({
        ...{ role, title: labels.worker === undefined ? role : 'worker', pid: null, cpuS: value },
        identity: `${address} ${labels.worker ?? ''}`,
        memoryBytes: memory.find((one) => one.labels.worker === labels.worker)?.value ?? 0,
      }));
    }),
  );
}

const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80));
