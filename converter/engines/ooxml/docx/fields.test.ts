import type { Transform } from 'prosemirror-transform';
import { describe, expect, it } from 'vitest';
import { wordSchema } from '../../../../model/word/schema.ts';
import { buildDocx } from '../../../../test/support/docx-fixture.ts';
import { fieldsOf } from '../../../../test/support/field-reader.ts';
import { openDocx } from './docx-engine.ts';
import { assembleDocx } from './testing/assemble-docx.ts';
import { blocks, edit, positionOf } from './testing/docx-edit.ts';

const char = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
const code = (text: string) => `<w:r><w:instrText xml:space="preserve"> ${text} </w:instrText></w:r>`;
const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const paragraph = (...content: string[]) => `<w:p>${content.join('')}</w:p>`;
const head = (instruction: string) => char('begin') + code(instruction) + char('separate');

/** A table of contents: it begins in its first paragraph and ends in one that is empty. */
const CONTENTS =
  paragraph(run('Before')) +
  paragraph(head('TOC'), run('One')) +
  paragraph(run('Two')) +
  paragraph(char('end')) +
  paragraph(run('After'));

/** Deletes whole blocks of a body. */
const dropBlocks =
  (first: number, count = 1) =>
  (tr: Transform) => {
    const starts: number[] = [];
    tr.doc.forEach((_block, offset) => void starts.push(offset));
    return tr.delete(starts[first]!, starts[first + count] ?? tr.doc.content.size);
  };

/** What a program that knows fields shows of the body of a docx, and whether all fields end. */
const shown = (body: string) => fieldsOf(blocks(body));

describe('fields across paragraphs in a docx', () => {
  it('[FD1] the model says which nodes are the characters of a field, and which a node holds as a whole is none', () => {
    const inOne = paragraph(head('PAGE'), run('1'), char('end'));
    const { doc, model } = openDocx(buildDocx({ body: CONTENTS + inOne }));
    const kinds = new Map<string, string>();
    doc.descendants(({ attrs }) => {
      if (attrs.kind) kinds.set(attrs.id, attrs.kind);
    });
    const { fields = [] } = model();
    expect(fields.map(([id, type]) => [kinds.get(id), type])).toEqual([
      ['w:fldChar', 'begin'],
      ['w:fldChar', 'separate'],
      ['w:fldChar', 'end'],
    ]);
  });

  it('[FD1] a node that holds half of a field says so', () => {
    const moved = `<w:moveTo w:id="4" w:author="A">${head('TOC')}${run('moved')}</w:moveTo>`;
    const { model } = openDocx(buildDocx({ body: paragraph(moved) + paragraph(char('end')) }));
    const { fields = [] } = model();
    expect(fields.map(([, type]) => type)).toEqual(['begin', 'separate', 'end']);
    expect(fields[0]![0]).toBe(fields[1]![0]);
  });

  it.each([
    ['the paragraph that it begins in', 1, ['Before', 'Two', '', 'After']],
    ['the paragraph that it ends in', 3, ['Before', 'One', 'Two', 'After']],
  ])(
    '[FD2] a log that takes %s from a field leaves a file without halves, and all text',
    (_what, at, text) => {
      const { xml } = edit({ body: CONTENTS }, dropBlocks(at));
      expect(shown(xml)).toEqual({ isBalanced: true, paragraphs: text });
      expect(xml).not.toMatch(/fldChar|instrText/);
    },
  );

  it('[FD2] a whole field goes, and one that is whole stays', () => {
    const gone = edit({ body: CONTENTS }, dropBlocks(1, 3));
    expect(shown(gone.xml)).toEqual({ isBalanced: true, paragraphs: ['Before', 'After'] });
    const kept = edit({ body: CONTENTS }, dropBlocks(2));
    expect(shown(kept.xml)).toEqual({ isBalanced: true, paragraphs: ['Before', 'One', '', 'After'] });
    expect(kept.xml.match(/fldChar /g)).toHaveLength(3);
  });

  it('[FD2] the rest of one field is not paired with the rest of another', () => {
    const two =
      CONTENTS + paragraph(head('INDEX'), run('Apple')) + paragraph(run('Pear')) + paragraph(char('end'));
    const { xml } = edit({ body: two }, dropBlocks(3, 3));
    expect(shown(xml)).toEqual({ isBalanced: true, paragraphs: ['Before', 'One', 'Two', 'Pear', ''] });
    expect(xml).not.toMatch(/fldChar|instrText/);
  });

  it('[FD2] fields in a field that has lost its end stay', () => {
    const inner = paragraph(head('HYPERLINK'), run('One')) + paragraph(run('more'), char('end'));
    const body =
      paragraph(head('TOC'), run('Zero')) + inner + paragraph(char('end')) + paragraph(run('After'));
    const { xml } = edit({ body }, dropBlocks(3));
    expect(shown(xml)).toEqual({ isBalanced: true, paragraphs: ['Zero', 'One', 'more', 'After'] });
    expect(xml.match(/instrText [^>]*> (\w+)/)![1]).toBe('HYPERLINK');
  });

  it('[FD2] without the character between instruction and result a field would hide its result: it is none', () => {
    const body =
      paragraph(char('begin'), code('TOC')) +
      paragraph(char('separate'), run('One')) +
      paragraph(char('end'));
    const { xml } = edit({ body }, (tr) => {
      const separate = tr.doc.child(0).nodeSize + 1;
      return tr.delete(separate, separate + 1);
    });
    expect(shown(xml)).toEqual({ isBalanced: true, paragraphs: ['', 'One', ''] });
    expect(xml).not.toMatch(/fldChar|instrText/);
  });

  it('[FD3] a field that has come to end in another cell than it begins in is none', () => {
    const cell = (content: string) => `<w:tc><w:tcPr/>${content}</w:tc>`;
    const grid = '<w:tblPr/><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid>';
    const table = `<w:tbl>${grid}<w:tr>${cell(paragraph(run('left')))}${cell(paragraph(run('right')))}</w:tr></w:tbl>`;
    const { xml } = edit({ body: CONTENTS + table + paragraph(run('Last')) }, (tr) => {
      const { doc } = tr;
      const end = positionOf(doc, 'After') - 3;
      const mark = doc.nodeAt(end)!;
      tr.delete(end, end + 1);
      return tr.insert(positionOf(tr.doc, 'left'), mark);
    });
    expect(fieldsOf(xml)).toMatchObject({ isBalanced: true });
    expect(xml).not.toMatch(/fldChar|instrText/);
  });

  it('[FD3] what a file has across the borders of cells stays', () => {
    const cell = (content: string) => `<w:tc><w:tcPr/>${content}</w:tc>`;
    const grid = '<w:tblPr/><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid>';
    const first = cell(paragraph(head('IF'), run('left')));
    const table = `<w:tbl>${grid}<w:tr>${first}${cell(paragraph(run('right'), char('end')))}</w:tr></w:tbl>`;
    const { xml } = edit({ body: table + paragraph(run('Last')) }, (tr) =>
      tr.insert(positionOf(tr.doc, 'Last'), wordSchema.text('The ')),
    );
    expect(xml).toContain(table);
  });

  it('[FD4] what comes to stand in an instruction stands before the field in the file', () => {
    const { xml } = edit({ body: CONTENTS }, (tr) => {
      const begin = positionOf(tr.doc, 'One') - 3;
      return tr.insert(begin + 1, wordSchema.text('Typed '));
    });
    expect(shown(xml)).toEqual({ isBalanced: true, paragraphs: ['Before', 'Typed One', 'Two', '', 'After'] });
    expect(xml.match(/fldChar /g)).toHaveLength(3);
    expect(xml).toMatch(/Typed [\s\S]*begin[\s\S]*instrText[\s\S]*separate[\s\S]*One/);
  });

  it('[FD5] of the characters of a field all are in a tracked deletion in the file, or none', () => {
    const { xml } = edit({ body: CONTENTS }, (tr) => {
      const end = positionOf(tr.doc, 'After') - 3;
      return tr.addMark(end - 5, end + 1, wordSchema.marks.del.create({ author: 'Me' }));
    });
    expect(xml).toMatch(/<w:del [^>]*>[\s\S]*Two/);
    expect(xml).not.toMatch(/<w:del [^>]*>(?:(?!<\/w:del>)[\s\S])*fldChar/);
  });

  it('[FD5] a field that is struck as a whole is in the deletion with an instruction that is deleted', () => {
    const { xml } = edit({ body: CONTENTS }, (tr) =>
      tr.addMark(
        tr.doc.child(0).nodeSize,
        positionOf(tr.doc, 'After'),
        wordSchema.marks.del.create({ author: 'Me' }),
      ),
    );
    const deletions = [...xml.matchAll(/<w:del [^>]*>([\s\S]*?)<\/w:del>/g)]
      .map(([, content]) => content)
      .join('');
    expect(deletions.match(/fldChar /g)).toHaveLength(3);
    expect(deletions).toContain('<w:delInstrText xml:space="preserve"> TOC </w:delInstrText>');
    expect(xml).not.toContain('<w:instrText');
  });

  it('[FD6] halves of the file stay while nobody changes it, and go when it is written anew', () => {
    const body = paragraph(head('TOC'), run('Hidden by others')) + paragraph(run('Also'));
    const base = buildDocx({ body });
    expect(new Uint8Array(assembleDocx(base, []).bytes)).toEqual(base);
    const { xml } = edit({ body }, (tr) => tr.insert(positionOf(tr.doc, 'Also'), wordSchema.text('See: ')));
    expect(shown(xml)).toEqual({ isBalanced: true, paragraphs: ['Hidden by others', 'See: Also'] });
  });

  describe('a field whose rest the file has twice, deleted and inserted', () => {
    const rest = (instruction: string, result: string) =>
      instruction + char('separate') + run(result) + char('end');
    const deleted = `<w:del w:id="1" w:author="A">${rest(code('PAGE').replaceAll('instrText', 'delInstrText'), '23').replace(/w:t\b/g, 'w:delText')}</w:del>`;
    const inserted = `<w:ins w:id="2" w:author="A">${rest(code('PAGEREF x'), '24')}</w:ins>`;
    const body = (changes: string) => paragraph(char('begin'), changes, run(' end')) + paragraph(run('Also'));
    const settle = (mark: 'ins' | 'del') => (tr: Transform) => {
      const gone: [number, number][] = [];
      tr.doc.descendants((node, position) => {
        if (node.marks.some(({ type }) => type.name === mark)) gone.unshift([position, node.nodeSize]);
      });
      for (const [position, size] of gone) tr.delete(position, position + size);
      for (const type of [wordSchema.marks.ins, wordSchema.marks.del])
        tr.removeMark(0, tr.doc.content.size, type);
      return tr;
    };

    it.each([
      ['first the deletion', deleted + inserted],
      ['first the insertion', inserted + deleted],
    ])(
      '[FD78] stays as it is while others change, and either is a whole field once settled: %s',
      (_what, changes) => {
        const other = edit({ body: body(changes) }, (tr) =>
          tr.insert(positionOf(tr.doc, 'Also'), wordSchema.text('See: ')),
        );
        expect(other.xml).toContain(paragraph(char('begin'), changes, run(' end')));
        const accepted = edit({ body: body(changes) }, settle('del'));
        expect(shown(accepted.xml)).toEqual({ isBalanced: true, paragraphs: ['24 end', 'Also'] });
        expect(accepted.xml).toMatch(/PAGEREF x/);
        const rejected = edit({ body: body(changes) }, settle('ins'));
        expect(shown(rejected.xml)).toEqual({ isBalanced: true, paragraphs: ['23 end', 'Also'] });
        expect(rejected.xml).toMatch(/<w:instrText[^>]*> PAGE </);
      },
    );

    it.each([
      ['first the deletion', '<w:del w:id="1" w:author="A">', '<w:ins w:id="2" w:author="A">'],
      ['first the insertion', '<w:ins w:id="1" w:author="A">', '<w:del w:id="2" w:author="A">'],
    ])(
      '[FD78] stays so, too, where only the result and the end stand twice, in another field: %s',
      (_what, ...tags) => {
        const [one, other] = tags.map((tag) => {
          const [name, result] = tag.startsWith('<w:del') ? ['del', '23'] : ['ins', '24'];
          const text = name === 'del' ? run(result).replace(/w:t\b/g, 'w:delText') : run(result);
          return `${tag}${text}${char('end')}</w:${name}>`;
        });
        const contents =
          paragraph(head('TOC'), run('One '), head('PAGEREF x'), one!, other!) +
          paragraph(
            run('Two '),
            head('PAGEREF y'),
            one!.replace('"1"', '"3"'),
            other!.replace('"2"', '"4"'),
          ) +
          paragraph(char('end'));
        const body = contents + paragraph(run('Also'));
        const kept = edit({ body }, (tr) => tr.insert(positionOf(tr.doc, 'Also'), wordSchema.text('See: ')));
        expect(kept.changed).toHaveLength(1);
        expect(kept.xml).toContain(contents);
        const accepted = edit({ body }, settle('del'));
        expect(shown(accepted.xml)).toEqual({
          isBalanced: true,
          paragraphs: ['One 24', 'Two 24', '', 'Also'],
        });
        expect(accepted.xml.match(/fldChar /g)).toHaveLength(9);
        const rejected = edit({ body }, settle('ins'));
        expect(shown(rejected.xml)).toEqual({
          isBalanced: true,
          paragraphs: ['One 23', 'Two 23', '', 'Also'],
        });
        expect(rejected.xml.match(/fldChar /g)).toHaveLength(9);
      },
    );

    it('[FD78] of two halves that are both left, one is a field', () => {
      const { xml } = edit({ body: body(deleted + inserted) }, (tr) =>
        tr
          .removeMark(0, tr.doc.content.size, wordSchema.marks.del)
          .removeMark(0, tr.doc.content.size, wordSchema.marks.ins),
      );
      expect(shown(xml)).toEqual({ isBalanced: true, paragraphs: ['2324 end', 'Also'] });
    });
  });

  describe('fields within the instruction of another', () => {
    const part = (instruction: string, result = '') =>
      head(instruction) + (result && code(result)) + char('end');
    const bare = (instruction: string) => char('begin') + code(instruction) + char('end');
    const ifField = (condition: string) =>
      char('begin') + code('IF') + condition + code('= 1 "one" "other"') + char('separate') + run('one');
    const fields: [what: string, ...paragraphs: string[]][] = [
      ['SEQ in TC', paragraph(char('begin'), code('TC "'), part('SEQ a', '1'), code('"'), char('end'))],
      [
        'SEQ in SEQ',
        paragraph(
          char('begin'),
          code('SEQ a \\r'),
          part('SEQ b', '2'),
          char('separate'),
          run('2'),
          char('end'),
        ),
      ],
      ['REF in IF', paragraph(ifField(part('REF a', '1')), char('end'))],
      [
        'MERGEFIELD with a result of text in IF',
        paragraph(ifField(head('MERGEFIELD a') + run('1') + char('end')), char('end')),
      ],
      [
        'fields in =',
        paragraph(
          char('begin'),
          code('='),
          part('SEQ a', '1'),
          code('+'),
          part('SEQ b', '2'),
          char('separate'),
          run('3'),
          char('end'),
        ),
      ],
      [
        'REF in IF in IF',
        paragraph(
          ifField(ifField(part('REF a', '1')).replace(run('one'), code('1')) + char('end')),
          char('end'),
        ),
      ],
      ['a field with a result that is not there', paragraph(ifField(part('REF a')), char('end'))],
      ['a field without a result', paragraph(ifField(bare('REF a')), char('end'))],
      [
        'a field in the result of such a field',
        paragraph(ifField(head('REF a') + part('SEQ a', '1') + code('2') + char('end')), char('end')),
      ],
      [
        'a field in a tracked change',
        paragraph(ifField(`<w:ins w:id="7" w:author="A">${part('REF a', '1')}</w:ins>`), char('end')),
      ],
      [
        'a field of which a link holds the result',
        paragraph(
          ifField(`${head('REF a')}<w:hyperlink w:anchor="a">${code('1')}</w:hyperlink>${char('end')}`),
          char('end'),
        ),
      ],
      [
        'a field over paragraphs',
        paragraph(char('begin'), code('IF'), head('REF a'), code('1')),
        paragraph(code('2'), char('end')),
        paragraph(char('separate'), run('one'), char('end')),
      ],
      ['an IF over paragraphs', paragraph(ifField(part('REF a', '1'))), paragraph(run('two'), char('end'))],
      [
        'a field in a text box',
        paragraph(
          `<w:r><w:pict><w:txbxContent>${paragraph(ifField(part('REF a', '1')), char('end'))}</w:txbxContent></w:pict></w:r>`,
        ),
      ],
    ];

    it.each(fields)('[FD79] %s: nothing of it changes when others do', (_what, ...paragraphs) => {
      const body = paragraphs.join('') + paragraph(run('Also'));
      const { xml } = edit({ body }, (tr) => tr.insert(positionOf(tr.doc, 'Also'), wordSchema.text('See: ')));
      expect(blocks(xml)).toContain(`${paragraphs.join('')}<w:p>`);
      expect(xml).toContain('See: ');
    });

    it.each(fields)('[FD79] %s: all of it stays when its paragraph changes', (_what, ...paragraphs) => {
      const { xml, reopened } = edit({ body: paragraphs.join('') + paragraph(run('Also')) }, (tr) =>
        tr.insert(1, wordSchema.text('Typed ')),
      );
      for (const element of paragraphs.join('').matchAll(/<w:(?:fldChar|instrText|t)\b[^>]*>[^<]*/g))
        expect(xml).toContain(element[0]);
      expect(xml.match(/nstrText[ >]/g)).toEqual(paragraphs.join('').match(/nstrText[ >]/g));
      expect(reopened.doc.textContent).toContain('Typed ');
    });

    it('[FD79] the result goes with the field when that is no more', () => {
      const body =
        paragraph(ifField(part('REF a', '1'))) + paragraph(run('two'), char('end')) + paragraph(run('Also'));
      const { xml } = edit({ body }, dropBlocks(1));
      expect(shown(xml)).toEqual({ isBalanced: true, paragraphs: ['one', 'Also'] });
    });

    it('[FD79] what is typed into the outer instruction stands before the field, which keeps its parts', () => {
      const body =
        paragraph(char('begin'), code('IF'), head('REF a'), code('1')) +
        paragraph(code('2'), char('end')) +
        paragraph(char('separate'), run('one'), char('end'));
      const { xml } = edit({ body }, (tr) =>
        tr.insert(tr.doc.child(0).nodeSize + 1, wordSchema.text('Typed')),
      );
      expect(shown(xml)).toEqual({ isBalanced: true, paragraphs: ['', 'Typed', 'one'] });
      expect([...xml.matchAll(/preserve"> ([^<]+) <\/w:instr/g)].map(([, one]) => one)).toEqual([
        'REF a',
        'IF',
        '1',
        '2',
      ]);
    });
  });

  it('[FD6] a half within content that the model does not hold goes with its partner, and its text stays', () => {
    const moved = `<w:moveTo w:id="4" w:author="A">${head('TOC')}${run('moved')}</w:moveTo>`;
    const { xml } = edit(
      { body: paragraph(moved) + paragraph(char('end')) + paragraph(run('After')) },
      dropBlocks(1),
    );
    expect(shown(xml)).toEqual({ isBalanced: true, paragraphs: ['moved', 'After'] });
    expect(xml).toContain('<w:moveTo w:id="4"');
    expect(xml).not.toMatch(/fldChar|instrText/);
  });

  it('[FD6] a text box is a story of its own', () => {
    const box = `<w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textbox><w:txbxContent>${paragraph(head('PAGE'), run('1'))}</w:txbxContent></v:textbox></v:shape></w:pict></w:r>`;
    const { xml } = edit({ body: paragraph(run('With a box'), box) + CONTENTS }, dropBlocks(5));
    expect(xml.match(/fldChar /g)).toHaveLength(3);
    expect(xml).toMatch(/<w:txbxContent>(?:(?!fldChar)[\s\S])*<\/w:txbxContent>/);
  });

  it('[FD7] a copy of a whole field is a field', () => {
    const { xml } = edit({ body: CONTENTS }, (tr) => {
      const from = tr.doc.child(0).nodeSize;
      const to = positionOf(tr.doc, 'After') - 1;
      return tr.replace(tr.doc.content.size, tr.doc.content.size, tr.doc.slice(from, to));
    });
    const text = ['Before', 'One', 'Two', '', 'After', 'One', 'Two', ''];
    expect(shown(xml)).toEqual({ isBalanced: true, paragraphs: text });
    expect(xml.match(/fldChar /g)).toHaveLength(6);
  });
});
