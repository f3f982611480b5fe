import type { Conversion, SourceMedia } from './conversion.ts';

/** What an engine can do, known without running it: servers decide by it, workers do it. */
export interface EngineAbility {
  readonly name: string;
  /** Results of another version are not taken from the cache. */
  readonly version: string;
  /** Source types it reads, and for each the types it writes. */
  readonly pairs: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names of options of a conversion between such a pair that it cannot honour. */
  unable(conversion: Conversion): readonly string[];
}

/** Makes files of one format from files of another. */
export interface ConversionEngine {
  readonly ability: EngineAbility;
  /** @throws ConversionError, EngineEnded */
  convert(source: Uint8Array, conversion: Conversion, media: SourceMedia): Promise<Uint8Array>;
}
