import { abilitiesOf } from '../../converter/formats/abilities.ts';
import type { ConversionTable } from '../../converter/formats/conversion-table.ts';
import type { ConverterEngines, PresentEngine } from '../../db/converter-engines.ts';

/**
 * Keeps the table of conversions to what the converter processes can do, wherever they run. Until one has registered,
 * the table is what this machine has.
 */
export class FollowedEngines {
  readonly #records: Pick<ConverterEngines, 'inCommon'>;
  readonly #own: readonly PresentEngine[];
  readonly table: ConversionTable;

  constructor(
    table: ConversionTable,
    records: Pick<ConverterEngines, 'inCommon'>,
    own: readonly PresentEngine[],
  ) {
    this.table = table;
    this.#records = records;
    this.#own = own;
    table.offer(abilitiesOf(own));
  }

  /** Asks what there is now. */
  async look(): Promise<void> {
    this.table.offer(abilitiesOf((await this.#records.inCommon()) ?? this.#own));
  }
}
