import { delimiterOf } from '../../model/delimiters.ts';
import { cellKind } from '../../model/kinds.ts';
import { ConversionError } from '../errors.ts';
import { type Conversion, type ConversionOptions, givenOptions } from '../formats/conversion.ts';
import { encodedLikeSource } from '../text/plain-text.ts';
import { decodeText } from '../text/text-encoding.ts';
import type { ConversionEngine, EngineAbility } from './conversion-engine.ts';
import type { EnginePool } from './engine-pool.ts';
import type { EngineResult } from './engine-thread.ts';

/** What is said of plain text; a language says nothing that the text does not show. */
const understood: ReadonlySet<string> = new Set(['region', 'codePage', 'delimiter', 'delimiterChar']);

export const tableAbility: EngineAbility = {
  name: 'table',
  version: '1',
  pairs: new Map([
    ['csv', new Set(['xlsx'])],
    ['tsv', new Set(['xlsx'])],
  ]),
  unable: ({ options }: Conversion) => givenOptions(options).filter((name) => !understood.has(name)),
};

type Threads = Pick<EnginePool, 'run'>;

/** Makes workbooks of tables in plain text, so that what nobody changes is written again as it was. */
export const tableEngine = (threads: Threads): ConversionEngine => ({
  ability: tableAbility,
  async convert(source, { fromType, options }, _media, run) {
    const text = Buffer.from(decodeText(source, options.codePage!));
    const task = { kind: 'read-table' as const, model: cellKind.model.name, source: text };
    return converted(
      await threads.run({ ...task, delimiter: delimiterIn(fromType, options) }, run?.timeoutMs),
    );
  },
});

/**
 * The table of a workbook, in the code page and with the delimiter and the line ends of the one that it was made of.
 * @param source that table as it came
 * @param options its code page, and its delimiter if it is a csv
 */
export async function writtenTable(
  workbook: Uint8Array,
  source: Uint8Array,
  type: string,
  options: ConversionOptions,
  threads: Threads,
): Promise<Uint8Array> {
  const codePage = options.codePage!;
  const result = await threads.run({
    kind: 'write-table',
    model: cellKind.model.name,
    source: workbook,
    table: Buffer.from(decodeText(source, codePage)),
    delimiter: delimiterIn(type, options),
  });
  return encodedLikeSource(new TextDecoder().decode(converted(result)), source, codePage);
}

function delimiterIn(type: string, { delimiter, delimiterChar }: ConversionOptions): string | undefined {
  if (type === 'tsv') return '\t';
  return delimiterChar ?? (delimiter === undefined ? undefined : delimiterOf(delimiter));
}

function converted(result: EngineResult): Uint8Array {
  if (result.kind === 'refused') throw new ConversionError(result.error, result.message);
  if (result.kind !== 'converted') throw new Error(`an engine converted a table and gave ${result.kind}`);
  return result.bytes;
}
