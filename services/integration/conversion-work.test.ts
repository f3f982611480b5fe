import { expect, it } from 'vitest';
import { ServiceError } from '../../client/protocol/index.ts';
import { copyAbility } from '../../converter/engines/copy-engine.ts';
import { x2tAbility } from '../../converter/engines/x2t/conversion.ts';
import { ConversionTable } from '../../converter/formats/conversion-table.ts';
import { conversionParameters } from './conversion-parameters.ts';
import { ConversionWork } from './conversion-work.ts';

const table = new ConversionTable([copyAbility, x2tAbility('9.3')]);
const unused = async () => expect.fail('a plan fetches and converts nothing');
const work = new ConversionWork({ table, sourceFiles: { fetch: unused }, conversions: { convert: unused } });
const planOf = (given: { url?: string; filetype?: string; outputtype: string }) =>
  work.plan(conversionParameters({ url: 'https://host.test/file', key: 'k', ...given })!);

/** Extensions with the usual one of the same format. */
const others = [
  ['htm', 'html'],
  ['xhtml', 'html'],
  ['mhtml', 'mht'],
  ['markdown', 'md'],
  ['text', 'txt'],
] as const;

it.each(others)(
  '[CA18] %s is planned as %s, by the name of the source, its address and its result',
  (other, usual) => {
    const planned = { fromType: usual, toType: 'docx' };
    expect(planOf({ filetype: other, outputtype: 'docx' })).toMatchObject(planned);
    expect(planOf({ url: `https://host.test/a.${other}`, outputtype: 'docx' })).toMatchObject(planned);
    expect(planOf({ filetype: other, outputtype: other })).toMatchObject({
      fromType: usual,
      toType: usual,
    });
  },
);

it('[CA18] each extension of a picture is that picture, and what no engine writes is refused by its name', () => {
  const typeOf = (outputtype: string) => planOf({ filetype: 'docx', outputtype });
  for (const [other, usual] of [
    ['jpeg', 'jpg'],
    ['jpe', 'jpg'],
    ['jfif', 'jpg'],
    ['dib', 'bmp'],
  ] as const)
    expect(typeOf(other), other).toMatchObject({ toType: usual });
  for (const [name, usual] of [
    ['tif', 'tiff'],
    ['tiff', 'tiff'],
    ['mhtml', 'mht'],
  ] as const)
    expect(typeOf(name), name).toEqual({
      ok: false,
      errorCode: ServiceError.convertUnknownFormat,
      message: `files of type docx cannot be converted to ${usual}`,
    });
});
