import type { Conversion } from '../formats/conversion.ts';
import { ConversionTable } from '../formats/conversion-table.ts';
import type { EnginePreference } from '../formats/engine-preference.ts';
import type { ConversionEngine, EngineAbility } from './conversion-engine.ts';

/** The engines of a converter, in the order of preference where nothing is preferred for a pair of formats. */
export class ConversionEngines {
  readonly table: ConversionTable;
  readonly #engines: readonly ConversionEngine[];

  constructor(engines: readonly ConversionEngine[], preference?: EnginePreference) {
    this.#engines = engines;
    this.table = new ConversionTable(this.abilities, preference);
  }

  get abilities(): EngineAbility[] {
    return this.#engines.map(({ ability }) => ability);
  }

  /**
   * The engine for a conversion.
   * @throws ConversionError as {@link ConversionTable.choose} does
   */
  choose(conversion: Conversion): ConversionEngine {
    const chosen = this.table.choose(conversion);
    return this.#engines.find(({ ability }) => ability === chosen)!;
  }
}
