import type { Conversion } from '../formats/conversion.ts';
import { ConversionTable } from '../formats/conversion-table.ts';
import type { ConversionEngine } from './conversion-engine.ts';

/**
 * The engine for a conversion, of those that there are in the order of preference.
 * @throws ConversionError as {@link ConversionTable.choose} does
 */
export function chooseEngine(engines: readonly ConversionEngine[], conversion: Conversion): ConversionEngine {
  const chosen = new ConversionTable(engines.map(({ ability }) => ability)).choose(conversion);
  return engines.find(({ ability }) => ability === chosen)!;
}
