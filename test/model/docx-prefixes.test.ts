import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { Transform } from 'prosemirror-transform';
import { describe, expect, test } from 'vitest';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { assembleDocx } from '../../converter/engines/ooxml/docx/testing/assemble-docx.ts';
import { positionOf } from '../../converter/engines/ooxml/docx/testing/docx-edit.ts';
import { encodeChange } from '../../model/word/change.ts';
import { wordSchema } from '../../model/word/schema.ts';
import { buildDocx, PIXEL_PNG } from '../support/docx-fixture.ts';
import { expandedXml } from '../support/expanded-xml.ts';
import { EVERY_KIND, EVERY_PART } from './every-kind.ts';
import { changesOf, draw, reviewsOf } from './random-edits.ts';

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const WORD_2010 = 'http://schemas.microsoft.com/office/word/2010/wordml';
const COMPATIBILITY = 'http://schemas.openxmlformats.org/markup-compatibility/2006';

const body = EVERY_KIND.replaceAll('<w:p>', '<w:p w14:textId="77777777">').replace(
  '<w:lang ',
  '<w14:ligatures w14:val="all"/><w:lang ',
);
const plain = `<?xml version="1.0" encoding="UTF-8"?>\n<w:document xmlns:w="${WORD}" xmlns:r="${OFFICE}" xmlns:w14="${WORD_2010}" xmlns:mc="${COMPATIBILITY}" mc:Ignorable="w14"><w:body>${body}${EVERY_PART.section}</w:body></w:document>`;

/** The same text by other prefixes. */
function renamed(xml: string, names: Readonly<Record<string, string>>): string {
  const other = (prefix: string) => names[prefix] ?? prefix;
  return xml
    .replace(/(<\/?)(\w+):/g, (_match, open: string, prefix: string) => `${open}${other(prefix)}:`)
    .replace(/ xmlns:(\w+)=/g, (_match, prefix: string) => ` xmlns:${other(prefix)}=`)
    .replace(/ (\w+):(\w+)=/g, (match, prefix: string, name: string) =>
      prefix === 'xmlns' ? match : ` ${other(prefix)}:${name}=`,
    )
    .replace(/:Ignorable="(\w+)"/g, (_match, prefix: string) => `:Ignorable="${other(prefix)}"`);
}

/** Elements without a prefix; attributes keep theirs. */
const byDefault = (xml: string) =>
  xml.replace(/(<\/?)w:/g, '$1').replace(` xmlns:w="${WORD}"`, ` xmlns="${WORD}" xmlns:w="${WORD}"`);

const FORMS: Readonly<Record<string, (xml: string) => string>> = {
  'prefixes that a program counted': (xml) =>
    renamed(xml, { w: 'ns0', r: 'ns1', w14: 'ns2', w15: 'ns3', a: 'ns4', mc: 'ns5' }),
  'prefixes that usually mean something else': (xml) =>
    renamed(xml, { w: 'r', r: 'w', w14: 'w15', w15: 'w14' }),
  'no prefix for elements': byDefault,
  'a prefix bound again on each paragraph': (xml) =>
    xml
      .replace(` xmlns:w14="${WORD_2010}"`, (found) => `${found} xmlns:wp14="urn:something-else"`)
      .replaceAll('<w:p w14:textId=', `<w:p xmlns:wp14="${WORD_2010}" wp14:textId=`),
  'prefixes that only elements bind': (xml) =>
    xml
      .replace(` xmlns:w14="${WORD_2010}"`, '')
      .replace(' mc:Ignorable="w14"', '')
      .replace(/<w:p w14:(\w+)=/g, `<w:p xmlns:x="${WORD_2010}" xmlns:w="${WORD}" x:$1=`)
      .replaceAll('<w14:ligatures w14:', `<y:ligatures xmlns:y="${WORD_2010}" y:`),
};

function documentIn(form: (xml: string) => string): Uint8Array {
  const parts = Object.entries(EVERY_PART.parts).map(([name, xml]) => [name, form(xml)] as const);
  const base = unzipSync(buildDocx());
  const styles = form(strFromU8(base['word/styles.xml']!));
  return buildDocx({
    ...EVERY_PART,
    parts: { ...Object.fromEntries(parts), 'word/styles.xml': styles },
    document: form(plain),
  });
}

const usual = documentIn((xml) => xml);
const media = () => PIXEL_PNG;

describe.each(Object.entries(FORMS))('%s', (name, form) => {
  const bytes = documentIn(form);
  const { doc: opened } = openDocx(bytes);

  test('[FD60] a document reads the same by whichever prefixes its parts have', () => {
    expect(strFromU8(unzipSync(bytes)['word/document.xml']!)).not.toBe(plain);
    const { rx, ...model } = openDocx(bytes).model();
    expect({ ...model, rx: rx.map((xml) => xml.replace(/ xmlns:\w+="[^"]*"/, '')) }).toEqual(
      openDocx(usual).model(),
    );
  });

  test('[FD61] what is written means the same as with the usual prefixes', () => {
    fc.assert(
      fc.property(fc.array(draw, { maxLength: 15 }), fc.boolean(), (draws, isReview) => {
        const changes = isReview ? reviewsOf(opened, draws) : changesOf(opened, draws);
        const [ours, theirs] = [bytes, usual].map((base) =>
          unzipSync(assembleDocx(base, changes, { media }).bytes),
        );
        for (const part of Object.keys(theirs!).filter((one) => /^word\/[^_].*\.xml$/.test(one))) {
          const expanded = [ours!, theirs!].map((parts) => expandedXml(strFromU8(parts[part]!)));
          // Only the root's list of what may be ignored is another where the root binds less.
          const [one, other] = expanded.map((xml) => xml.replace(/ \{[^{}]*\}Ignorable="[^"]*"/, ''));
          expect(one, `${name}: ${part}`).toBe(other);
        }
      }),
      { numRuns: 25 },
    );
  });

  test('[FD62] an edit leaves every byte of other elements, with their prefixes', () => {
    const xml = strFromU8(unzipSync(bytes)['word/document.xml']!);
    const at = positionOf(opened, 'plain');
    const { steps } = new Transform(opened).insert(at, wordSchema.text('typed'));
    const saved = assembleDocx(bytes, [encodeChange('c', steps[0]!)]).bytes;
    const text = strFromU8(unzipSync(saved)['word/document.xml']!);
    const place = xml.search(/<[^<>]*>plain</);
    expect(text.startsWith(xml.slice(0, xml.lastIndexOf('<', place - 1)))).toBe(true);
    expect(text.endsWith(xml.slice(place))).toBe(true);
  });
});
