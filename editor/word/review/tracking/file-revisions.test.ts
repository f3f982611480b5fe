import { strFromU8, unzipSync } from 'fflate';
import { Transform } from 'prosemirror-transform';
import { describe, expect, it } from 'vitest';
import { docxEngine, openDocx } from '../../../../converter/engines/ooxml/docx/docx-engine.ts';
import { assembleDocx } from '../../../../converter/engines/ooxml/docx/testing/assemble-docx.ts';
import { applyChange, encodeChange } from '../../../../model/word/change.ts';
import { documentAt } from '../../../../model/word/checkpoint.ts';
import { parseWordDocument } from '../../../../model/word/document.ts';
import { AuthorRules } from '../../../../model/word/rights/author-rules.ts';
import { wordSchema } from '../../../../model/word/schema.ts';
import { buildDocx, type DocxFixture } from '../../../../test/support/docx-fixture.ts';
import { changesIn } from './changes.ts';
import { FileRevisions } from './file-revisions.ts';
import type { Decision } from './revision.ts';
import { settle } from './settle.ts';

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const by = (id: number, author = 'Ann') => `w:id="${id}" w:author="${author}" w:date="2024-01-01T00:00:00Z"`;
const run = (content: string, properties = '') =>
  `<w:r>${properties === '' ? '' : `<w:rPr>${properties}</w:rPr>`}<w:t>${content}</w:t></w:r>`;
const range = (kind: string, id: number, content: string) =>
  `<w:${kind}RangeStart w:id="${id}" w:author="Ann" w:name="m1"/>${content}<w:${kind}RangeEnd w:id="${id}"/>`;
const reformatted = `<w:b/><w:rPrChange ${by(5)}><w:rPr><w:i/><w:caps/></w:rPr></w:rPrChange>`;

const moved =
  `<w:p>${range('moveFrom', 1, `<w:moveFrom ${by(2)}><w:r><w:t>text</w:t></w:r></w:moveFrom>`)}${run('one')}</w:p>` +
  `<w:p>${run('two')}${range('moveTo', 3, `<w:moveTo ${by(4)}>${run('text')}</w:moveTo>`)}</w:p>`;
const formatted = `<w:p>${run('plain')}${run('new', reformatted)}</w:p>`;
const aligned = `<w:p><w:pPr><w:jc w:val="center"/><w:pPrChange ${by(6, 'Ben')}><w:pPr><w:jc w:val="right"/><w:outlineLvl w:val="2"/></w:pPr></w:pPrChange></w:pPr>${run('aligned')}</w:p>`;
const cell = (content: string, change = '') =>
  `<w:tc><w:tcPr><w:tcW w:w="100" w:type="dxa"/>${change}</w:tcPr><w:p>${run(content)}</w:p></w:tc>`;
const row = (content: string, properties = '') => `<w:tr>${properties}${cell(content)}</w:tr>`;
const table =
  `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/><w:tblPrChange ${by(7)}><w:tblPr><w:tblW w:w="9" w:type="dxa"/></w:tblPr></w:tblPrChange></w:tblPr><w:tblGrid><w:gridCol w:w="100"/></w:tblGrid>` +
  `${row('kept')}${row('came', `<w:trPr><w:ins ${by(8)}/></w:trPr>`)}${row('went', `<w:trPr><w:del ${by(9)}/></w:trPr>`)}` +
  `<w:tr>${cell('shaded', `<w:tcPrChange ${by(10)}><w:tcPr><w:tcW w:w="200" w:type="dxa"/></w:tcPr></w:tcPrChange>`)}</w:tr></w:tbl>`;
const boxed = `<w:p>${run('in')}<w:r><w:pict><w:txbxContent><w:p><w:del ${by(11)}><w:r><w:delText>old</w:delText></w:r></w:del><w:ins ${by(12)}>${run('now')}</w:ins></w:p></w:txbxContent></w:pict></w:r></w:p>`;
const empty = `<w:p>${run('e')}<w:ins ${by(13)}><w:r/></w:ins></w:p>`;
const broken = `<w:p><w:pPr><w:rPr><w:moveFrom ${by(14)}/></w:rPr></w:pPr>${run('first')}</w:p><w:p>${run('second')}</w:p>`;

/** A paragraph that was moved as a whole: the end of what moved stands behind it, as Word writes it. */
const wholeMove = (kind: 'moveFrom' | 'moveTo', id: number) =>
  `<w:p><w:pPr><w:rPr><w:${kind} ${by(id)}/></w:rPr></w:pPr><w:${kind}RangeStart w:id="${id + 1}" w:author="Ann" w:name="m1"/>` +
  `<w:${kind} ${by(id + 2)}>${run('moved')}</w:${kind}></w:p><w:${kind}RangeEnd w:id="${id + 1}"/>`;
const movedWhole = `<w:p>${run('one')}</w:p>${wholeMove('moveFrom', 20)}<w:p>${run('two')}</w:p>${wholeMove('moveTo', 30)}<w:p>${run('three')}</w:p>`;

const TRACKED = /<w:(?:ins|del|move\w+|cell(?:Ins|Del|Merge)|\w+Change)\b/;

interface Settled {
  readonly xml: string;
  readonly left: readonly string[];
  readonly texts: readonly string[];
}

/** Opens a file, settles what concerns somebody, and writes it. */
function settled(
  fixture: DocxFixture,
  decision: Decision,
  concerns?: (kind: string, author: string) => boolean,
): Settled {
  const bytes = buildDocx(fixture);
  const { doc, model } = openDocx(bytes);
  const fileRevisions = new FileRevisions(model());
  const tr = new Transform(doc);
  settle(tr, decision, { from: 0, to: doc.content.size, fileRevisions, ...(concerns && { concerns }) });
  const changes = tr.steps.map((step) => encodeChange('c', step));
  const result = assembleDocx(bytes, changes);
  expect(result.skipped).toEqual([]);
  const again = openDocx(result.bytes);
  const whole = { checkpoint: null, changes, wantsCheckpoint: true };
  const checkpoint = JSON.parse(docxEngine.checkpoint(bytes, whole).checkpoint!);
  expect(documentAt(doc, checkpoint).doc.eq(tr.doc)).toBe(true);
  return {
    xml: strFromU8(unzipSync(result.bytes)['word/document.xml']!),
    left: changesIn(again.doc, new FileRevisions(again.model())).map(({ kind, text }) => `${kind} ${text}`),
    texts: again.doc.children.map((node) => node.textContent),
  };
}

const listed = (fixture: DocxFixture): string[] => {
  const { doc, model } = openDocx(buildDocx(fixture));
  return changesIn(doc, new FileRevisions(model())).map(
    ({ kind, author, text }) => `${kind} ${author} ${text}`,
  );
};

describe('tracked changes that only the file holds', () => {
  it('[FD25] are listed with those of text, in the order of the document', () => {
    const text = `<w:p><w:ins ${by(20)}>${run('typed')}</w:ins></w:p>`;
    expect(listed({ body: moved + text + formatted + aligned + table + boxed + empty + broken })).toEqual([
      'moveFrom Ann text',
      'moveTo Ann text',
      'insertion Ann typed',
      'format Ann new',
      'format Ben aligned¶',
      'format Ann keptcamewentshaded',
      'insertion Ann came',
      'deletion Ann went',
      'format Ann shaded',
      'object Ann now',
      'format Ann e¶',
      'moveFrom Ann first¶',
    ]);
  });

  it('[FD25] are counted where they cannot be decided on', () => {
    const header = `<w:p><w:ins ${by(1)}>${run('h')}</w:ins><w:del ${by(2)}><w:r/></w:del></w:p>`;
    const { doc, model } = openDocx(
      buildDocx({
        body: '<w:p/>',
        section: '<w:sectPr><w:headerReference w:type="default" r:id="rH"/></w:sectPr>',
        relationships: [{ id: 'rH', type: 'header', target: 'header1.xml' }],
        parts: { 'word/header1.xml': `<w:hdr xmlns:w="${WORD}">${header}</w:hdr>` },
      }),
    );
    expect(changesIn(doc, new FileRevisions(model()))).toEqual([]);
    expect(new FileRevisions(model()).elsewhere).toBe(2);
    expect(new FileRevisions({}).elsewhere).toBe(0);
  });

  it.each([['accept'], ['reject']] as const)('[FD26] are gone from the file after “%s all”', (decision) => {
    const { xml, left } = settled(
      { body: moved + formatted + aligned + table + boxed + empty + broken },
      decision,
    );
    expect(xml).not.toMatch(TRACKED);
    expect(left).toEqual([]);
  });

  it('[FD26] that moved leave the text where it went, or where it was', () => {
    expect(settled({ body: moved }, 'accept').texts).toEqual(['one', 'twotext']);
    expect(settled({ body: moved }, 'reject').texts).toEqual(['textone', 'two']);
    const whole = (decision: Decision) => {
      const { xml, left } = settled({ body: movedWhole }, decision);
      expect(xml).not.toMatch(/<w:move/);
      expect(left).toEqual([]);
      return [...xml.matchAll(/<w:p\b.*?<\/w:p>|<w:p\/>/gs)].map(([paragraph]) =>
        paragraph.replace(/<[^>]*>/g, ''),
      );
    };
    expect(whole('accept')).toEqual(['one', 'two', 'moved', 'three']);
    expect(whole('reject')).toEqual(['one', 'moved', 'two', 'three']);
    expect(settled({ body: broken }, 'accept').texts).toEqual(['firstsecond']);
    expect(settled({ body: broken }, 'reject').texts).toEqual(['first', 'second']);
  });

  it('[FD26] of properties leave the new ones, or bring back the old ones', () => {
    const accepted = settled({ body: formatted + aligned }, 'accept').xml;
    expect(accepted).toContain(run('new', '<w:b/>'));
    expect(accepted).toContain('<w:pPr><w:jc w:val="center"/></w:pPr>');
    const rejected = settled({ body: formatted + aligned }, 'reject').xml;
    expect(rejected).toContain(run('new', '<w:i/><w:caps/>'));
    expect(rejected).toContain('<w:pPr><w:jc w:val="right"/><w:outlineLvl w:val="2"/></w:pPr>');
  });

  it('[FD26] of tables take rows, and give cells and tables the properties that were decided on', () => {
    const accepted = settled({ body: table }, 'accept');
    expect(accepted.texts).toEqual(['keptcameshaded']);
    expect(accepted.xml).toContain('<w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr>');
    const rejected = settled({ body: table }, 'reject');
    expect(rejected.texts).toEqual(['keptwentshaded']);
    expect(rejected.xml).toContain('<w:tblPr><w:tblW w:w="9" w:type="dxa"/></w:tblPr>');
    expect(rejected.xml).toContain('<w:tcPr><w:tcW w:w="200" w:type="dxa"/></w:tcPr>');
  });

  it('[FD26] within text boxes are settled there', () => {
    expect(settled({ body: boxed }, 'accept').xml).toContain(`<w:txbxContent><w:p>${run('now')}</w:p>`);
    expect(settled({ body: boxed }, 'reject').xml).toContain(`<w:txbxContent><w:p>${run('old')}</w:p>`);
  });

  it('[FD26] are decided on one by one; the others stay, in every byte', () => {
    const { xml, left } = settled(
      { body: moved + formatted + aligned },
      'accept',
      (_kind, by) => by === 'Ben',
    );
    expect(xml).toContain(moved + formatted);
    expect(left).toEqual(['moveFrom text', 'moveTo text', 'format new']);
  });

  it('[FD26] of runs that are cut in two stay two changes with ids of their own', () => {
    const bytes = buildDocx({ body: formatted });
    const tr = new Transform(openDocx(bytes).doc);
    tr.insert(8, wordSchema.text('X'));
    const { bytes: written } = assembleDocx(
      bytes,
      tr.steps.map((step) => encodeChange('c', step)),
    );
    const xml = strFromU8(unzipSync(written)['word/document.xml']!);
    const ids = [...xml.matchAll(/<w:rPrChange w:id="(\d+)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(2);
  });
});

describe('what is left of tracked changes where the model has nothing', () => {
  it('[FD26] goes with the insertion or deletion that it stands in', () => {
    const ins = `<w:ins ${by(1)}><w:proofErr w:type="spellStart"/>${run('new')}<w:proofErr w:type="spellEnd"/></w:ins>`;
    const { xml } = settled(
      { body: `<w:p>${run('one')}${ins}</w:p><w:p>${ins}${run('two')}</w:p>` },
      'accept',
    );
    expect(xml).not.toMatch(TRACKED);
    expect(settled({ body: `<w:p>${run('one')}${ins}</w:p>` }, 'reject').xml).not.toMatch(TRACKED);
  });

  it('[FD26] and what old properties say of other changes goes as well', () => {
    const change = `<w:cellDel ${by(1)}/><w:tcPrChange ${by(2)}><w:tcPr><w:tcW w:w="7" w:type="dxa"/><w:cellIns ${by(3)}/></w:tcPr></w:tcPrChange>`;
    const body = `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="100"/></w:tblGrid><w:tr>${cell('a', change)}</w:tr></w:tbl><w:p/>`;
    const { xml } = settled({ body }, 'reject');
    expect(xml).not.toMatch(TRACKED);
    expect(xml).toContain('<w:tcPr><w:tcW w:w="7" w:type="dxa"/></w:tcPr>');
  });
});

describe('what was stored before such changes could be decided on', () => {
  const bytes = buildDocx({ body: formatted + aligned + moved });
  /** As versions without these attributes wrote it. */
  const asBefore = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (name, one) => (name === 'settled' || name === 'revisions' ? undefined : one)),
    );

  it('[FD28] means what it meant: documents, changes and checkpoints', () => {
    const { doc, model } = openDocx(bytes);
    expect(parseWordDocument(asBefore(model())).doc.eq(doc)).toBe(true);
    const tr = new Transform(doc);
    tr.insert(3, doc.child(1)).split(3).delete(0, 2).setNodeAttribute(0, 'align', 'center');
    const changes = tr.steps.map((step) => encodeChange('c', step));
    const older = changes.map((change) => JSON.stringify(asBefore(JSON.parse(change))));
    expect(older).not.toEqual(changes);
    expect(assembleDocx(bytes, older).bytes).toEqual(assembleDocx(bytes, changes).bytes);
    const { checkpoint } = docxEngine.checkpoint(bytes, { checkpoint: null, changes, wantsCheckpoint: true });
    expect(documentAt(doc, asBefore(JSON.parse(checkpoint!))).doc.eq(tr.doc)).toBe(true);
  });
});

describe('the document’s own section', () => {
  const bytes = buildDocx({ body: '<w:p/>' });

  it('[FD27] is decided on by who may edit everything, and by nobody else, on every replica', () => {
    const { doc } = openDocx(bytes);
    const step = new Transform(doc).setDocAttribute('settled', 'accepted').steps[0]!;
    const change = encodeChange('c', step);
    const apply = (may: readonly ('review' | 'comment' | 'fill')[] | undefined) =>
      applyChange(doc, { change, author: { name: 'Ann', may } }, new AuthorRules());
    expect(apply(undefined)).toHaveProperty('attrs.settled', 'accepted');
    expect(apply(['review'])).toBe('not-allowed');
    expect(apply(['comment', 'fill'])).toBe('not-allowed');
  });
});
