import { Counter, Gauge, type Registry } from 'prom-client';

type CountedCache = 'opened_sources' | 'remembered_sources' | 'conversions' | 'small_files';

/** Where the numbers of histories are read; they are counted on the path of joining. */
interface WatchedHistories {
  reads: () => { hits: number; misses: number };
  heldBytes: () => number;
}

/** What is kept so that it need not be made again: how often it helps, and what it takes. */
export class CacheMetrics {
  readonly #counts = {
    opened_sources: { hits: 0, misses: 0 },
    remembered_sources: { hits: 0, misses: 0 },
    conversions: { hits: 0, misses: 0 },
    small_files: { hits: 0, misses: 0 },
  };
  #histories: WatchedHistories | null = null;
  #rememberedSources: () => number = () => 0;
  #smallFilesBytes: () => number = () => 0;

  constructor(registry: Registry) {
    const registers = [registry];
    const labelNames = ['cache'] as const;
    const all = () => Object.entries({ ...this.#counts, history: this.#histories?.reads() });
    new Counter({
      name: 'quire_cache_hits_total',
      help: 'What was found where it is kept: `opened_sources` (sources that were converted before), `remembered_sources` (which of these are in memory), `conversions`, `history` (changes in memory for newcomers), `small_files` (models and pictures of documents up to 64 KB that were asked for a moment ago).',
      ...{ labelNames, registers },
      collect() {
        this.reset();
        for (const [cache, counts] of all()) this.inc({ cache }, counts?.hits ?? 0);
      },
    });
    new Counter({
      name: 'quire_cache_misses_total',
      help: 'What was not found there and had to be made, by cache.',
      ...{ labelNames, registers },
      collect() {
        this.reset();
        for (const [cache, counts] of all()) this.inc({ cache }, counts?.misses ?? 0);
      },
    });
    const heldBytes = () => this.#histories?.heldBytes() ?? 0;
    const smallFilesBytes = () => this.#smallFilesBytes();
    new Gauge({
      name: 'quire_cache_bytes',
      help: 'Memory that a cache takes; bounded by `HISTORY_MEMORY_BYTES` for `history`, and by 16 MB for `small_files`.',
      ...{ labelNames, registers },
      collect() {
        this.set({ cache: 'history' }, heldBytes());
        this.set({ cache: 'small_files' }, smallFilesBytes());
      },
    });
    const rememberedSources = () => this.#rememberedSources();
    new Gauge({
      name: 'quire_cache_entries',
      help: 'How much a cache holds that does not count bytes: `remembered_sources` at most 5,000.',
      ...{ labelNames, registers },
      collect() {
        this.set({ cache: 'remembered_sources' }, rememberedSources());
      },
    });
  }

  looked(cache: CountedCache, found: boolean): void {
    this.#counts[cache][found ? 'hits' : 'misses'] += 1;
  }

  watchRememberedSources(count: () => number): void {
    this.#rememberedSources = count;
  }

  watchSmallFiles(heldBytes: () => number): void {
    this.#smallFilesBytes = heldBytes;
  }

  watchHistories(histories: WatchedHistories): void {
    this.#histories = histories;
  }
}
