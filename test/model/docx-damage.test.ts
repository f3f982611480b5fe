import fc from 'fast-check';
import { Transform } from 'prosemirror-transform';
import { describe, expect, test } from 'vitest';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { assembleDocx } from '../../converter/engines/ooxml/docx/testing/assemble-docx.ts';
import { ConversionError } from '../../converter/errors.ts';
import { encodeChange } from '../../model/word/change.ts';
import { wordSchema } from '../../model/word/schema.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { EVERY_KIND, EVERY_PART } from './every-kind.ts';

const VALUES = ['', '-1', '0', 'NaN', '99999999999', '1e9', '__proto__', '&#0;', '<', 'w:p', 'constructor'];

/** Damage to a text: a stretch of it dropped, doubled, or an attribute's value replaced. */
interface Damage {
  readonly kind: number;
  readonly place: number;
  readonly length: number;
}

const damage: fc.Arbitrary<Damage> = fc.record({
  kind: fc.nat(2),
  place: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  length: fc.nat(60),
});

function damaged(text: string, all: readonly Damage[]): string {
  return all.reduce((current, { kind, place, length }) => {
    const at = Math.floor(place * current.length);
    const stretch = current.slice(at, at + length);
    if (kind === 0) return current.slice(0, at) + current.slice(at + length);
    if (kind === 1) return current.slice(0, at) + stretch + current.slice(at);
    const value = /="[^"]*"/.exec(current.slice(at));
    if (!value) return current;
    const start = at + value.index;
    return `${current.slice(0, start)}="${VALUES[length % VALUES.length]}"${current.slice(start + value[0].length)}`;
  }, text);
}

/** Elements doubled or dropped whole keep the XML well-formed, which takes the damage deeper. */
function rearranged(text: string, all: readonly Damage[]): string {
  return all.reduce((current, { kind, place }) => {
    const elements = [...current.matchAll(/<(w:[a-zA-Z]+)(?: [^<>]*)?(?:\/>|>[^<>]*<\/\1>)/g)];
    const element = elements[Math.floor(place * elements.length)];
    if (!element) return current;
    const replacement = [
      '',
      element[0] + element[0],
      `<w:sdt><w:sdtContent>${element[0]}</w:sdtContent></w:sdt>`,
    ][kind];
    return current.slice(0, element.index) + replacement + current.slice(element.index + element[0].length);
  }, text);
}

/** Opens, edits and reopens; only a ConversionError may come of it. */
function exercise(bytes: Uint8Array): void {
  try {
    const source = openDocx(bytes);
    source.doc.check();
    source.model();
    expect(Buffer.compare(assembleDocx(bytes, []).bytes, bytes)).toBe(0);
    const transform = new Transform(source.doc);
    source.doc.descendants((node, position) => {
      if (node.isTextblock) transform.insert(transform.mapping.map(position + 1), wordSchema.text('x'));
      return !node.isTextblock;
    });
    const { bytes: saved } = assembleDocx(
      bytes,
      transform.steps.map((step) => encodeChange('c', step)),
    );
    expect(openDocx(saved).doc.textContent).toBe(transform.doc.textContent);
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
  }
}

describe('damaged documents', () => {
  test('[W6] damage to the text of a document gives an error code or a document that works', () => {
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 3 }), (all) => {
        exercise(buildDocx({ ...EVERY_PART, body: damaged(EVERY_KIND, all) }));
      }),
      { numRuns: 60 },
    );
  });

  test('[W6] damage to the other parts gives an error code or a document that works', () => {
    const names = Object.keys(EVERY_PART.parts) as (keyof typeof EVERY_PART.parts)[];
    const hurt = fc.tuple(
      fc.constantFrom(...names),
      fc.array(damage, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
    );
    fc.assert(
      fc.property(hurt, ([name, all, whole]) => {
        const text = EVERY_PART.parts[name] ?? '';
        const parts = { ...EVERY_PART.parts, [name]: whole ? rearranged(text, all) : damaged(text, all) };
        exercise(buildDocx({ ...EVERY_PART, parts, body: EVERY_KIND }));
      }),
      { numRuns: 60 },
    );
  });

  test('[W6] a document whose elements are dropped, doubled or wrapped works', () => {
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 8 }), (all) => {
        exercise(buildDocx({ ...EVERY_PART, body: rearranged(EVERY_KIND, all) }));
      }),
      {
        numRuns: 60,
        // A field that begins twice in one run: what is typed before it comes into that run when one of them goes.
        examples: [
          [
            [
              { kind: 1, place: 0.6981132075471698, length: 0 },
              { kind: 0, place: 0, length: 0 },
            ],
          ],
        ],
      },
    );
  });
});
