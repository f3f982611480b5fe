import { expect, it } from 'vitest';
import { libreofficePairs } from '../../../converter/engines/libreoffice/ability.ts';
import { offeredFormats } from './offered-formats.ts';

it.each([
  ['xlsx', 'xlsx pdf ods xls csv tsv html xltx ots'],
  ['ods', 'ods xlsx pdf xls csv tsv html xltx ots'],
  ['xlsm', 'xlsm xlsx pdf ods xls csv tsv html xltx ots'],
  ['docx', 'docx pdf odt rtf doc txt html epub dotx ott'],
])('[SU62] an %s is offered as what people of its kind ask for', (own, expected) => {
  const offered = offeredFormats(own, [...libreofficePairs.get(own)!]).map(([type]) => type);
  expect(offered.join(' ')).toBe(expected);
});
