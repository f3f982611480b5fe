import { webTable } from '../../formats/conversion.ts';
import { decodeMarkup } from '../../text/text-encoding.ts';
import type { OfficeStep } from './office-task.ts';
import { pageWithNumbers } from './page-numbers.ts';

/** A source as LibreOffice is given it, the filter options that say how it is read, and what is done once it is loaded. */
export interface MarkupSource {
  readonly bytes: Uint8Array;
  readonly filterOptions?: string | undefined;
  readonly steps?: readonly OfficeStep[];
}

/** US English, and no numbers but those that cells say. */
const pageOptions = '1033 0';

const declaredEncoding = /^(\s*<\?xml\s[^<>]*?)\s+encoding\s*=\s*(?:"[^"]*"|'[^']*')/;

/** A sheet in markup, in an encoding that LibreOffice does not have to find out; undefined for sources of other types. */
export async function markupSource(bytes: Uint8Array, fromType: string): Promise<MarkupSource | undefined> {
  if (fromType === 'xml') {
    return { bytes: Buffer.from(decodeMarkup(bytes).replace(declaredEncoding, '$1').trimStart()) };
  }
  if (fromType !== webTable) return undefined;
  const { page, formats } = await pageWithNumbers(decodeMarkup(bytes));
  return {
    bytes: Buffer.from(inAscii(page), 'latin1'),
    filterOptions: pageOptions,
    steps: [{ kind: 'web-tables', formats }],
  };
}

/** Markup whose signs beyond ASCII are references: it says the same in whichever encoding it is read. */
const inAscii = (markup: string): string =>
  markup.replace(/[^\0-\x7f]/gu, (sign) => `&#${sign.codePointAt(0)};`);
