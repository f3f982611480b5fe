import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { cellModel } from '../../../../model/cell/cell-model.ts';
import { parseWorkbook } from '../../../../model/cell/document.ts';
import { isXmlText } from '../../../../model/xml-text.ts';
import { hostileOperation } from '../../../../test/support/fuzzing/hostile-operations.ts';
import { buildWorkbook, STYLES } from '../../../../test/support/workbook-fixture.ts';
import { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { openXlsx, xlsxEngine } from './xlsx-engine.ts';

const base = buildWorkbook({
  styles: STYLES,
  sheets: [
    {
      rows: '<row r="1"><c r="A1"><v>1</v></c></row>',
      after:
        '<conditionalFormatting sqref="A1:A9"><cfRule type="expression" dxfId="0" priority="1"><formula>A1</formula></cfRule></conditionalFormatting><dataValidations count="1"><dataValidation type="list" sqref="B1"><formula1>"a"</formula1></dataValidation></dataValidations>',
    },
  ],
});
/** What is wrong with a part: nothing that any program reads. */
function faultOf(name: string, bytes: Uint8Array): string | null {
  const content = strFromU8(bytes);
  if (!isXmlText(content)) return `${name} has characters that XML cannot hold`;
  const xml = XmlDocument.parse(bytes);
  const visit = (element: XmlElement): string | null => {
    for (const attribute of Object.keys(xml.attributes(element)))
      if (!/^[A-Za-z_][\w.-]*(?::[\w.-]+)?$/.test(attribute)) return `${name} has an attribute ${attribute}`;
    for (const child of element.children) {
      const fault = visit(child);
      if (fault) return fault;
    }
    return null;
  };
  return visit(xml.root);
}

/** The file that comes of operations; `several` of them are one, and then single ones. */
function saved(file: Uint8Array, operations: readonly unknown[], isOne: boolean): Uint8Array {
  const sent = isOne ? [{ op: 'several', operations }] : operations;
  const changes = sent.map((one, at) => cellModel.encode('mallory', one as never, at));
  const tail = { checkpoint: null, changes, wantsCheckpoint: false };
  return xlsxEngine().assemble(file, tail, {}).bytes;
}

test('[XE71] whatever operations say, a file comes of them that can be opened and saved again', () => {
  fc.assert(
    fc.property(
      fc.array(hostileOperation, { minLength: 1, maxLength: 6 }),
      fc.array(hostileOperation, { maxLength: 4 }),
      fc.boolean(),
      (first, then, isOne) => {
        let file = base;
        for (const operations of [first, then]) {
          file = saved(file, operations, isOne);
          for (const [name, bytes] of Object.entries(unzipSync(file)))
            if (/\.(?:xml|rels|vml)$/.test(name)) expect(faultOf(name, bytes)).toBeNull();
          parseWorkbook(JSON.parse(JSON.stringify(openXlsx(file).model)));
        }
      },
    ),
    { numRuns: 50 },
  );
});
