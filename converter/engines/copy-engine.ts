import { ConversionError, corrupted } from '../errors.ts';
import { type Conversion, givenOptions } from '../formats/conversion.ts';
import { isCalled, kindOf } from '../formats/file-kind.ts';
import type { ConversionEngine, EngineAbility } from './conversion-engine.ts';

/** Types of files that can be recognised, so that a copy can be checked. */
const types =
  `docx docm dotx dotm doc dot odt ott fodt rtf txt html htm mht mhtml epub fb2 md docxf oform xlsx xlsm xltx xltm
   xlsb xls xlt ods ots fods csv tsv pptx pptm ppsx ppsm potx potm ppt pps pot odp otp fodp odg otg fodg pdf`.split(
    /\s+/,
  );

/** Options that change nothing of a file that stays what it is: integrators send them with every request. */
const idle: ReadonlySet<string> = new Set([
  'region',
  'codePage',
  'delimiter',
  'delimiterChar',
  'documentRenderer',
  'fileName',
]);

export const copyAbility: EngineAbility = {
  name: 'copy',
  version: '1',
  pairs: new Map(types.map((type) => [type, new Set([type])])),
  unable: ({ options }: Conversion) => givenOptions(options).filter((name) => !idle.has(name)),
};

/** Returns a file as it is, if it is what it says: integrators try a server with a file of the same type. */
export const copyEngine: ConversionEngine = {
  ability: copyAbility,
  async convert(source, { fromType }) {
    const kind = kindOf(source);
    if (kind === 'ole-encrypted') {
      throw new ConversionError('passwordRequired', 'the file is protected by a password');
    }
    if (!isCalled(kind, fromType)) throw corrupted(`the file is not of type ${fromType}`);
    return source;
  },
};
