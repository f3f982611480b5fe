import { Fragment } from 'prosemirror-model';
import { describe, expect, test } from 'vitest';
import { wordSchema } from '../../../../model/word/schema.ts';
import { blocks, edit, positionOf, text } from './testing/docx-edit.ts';

const { marks } = wordSchema;
const BEN = { author: 'Ben', date: '2025-01-02T03:04:05Z' };
const run = (content: string) => `<w:r><w:t>${content}</w:t></w:r>`;
const begin = (id: number, name = `b${id}`) => `<w:bookmarkStart w:id="${id}" w:name="${name}"/>`;
const end = (id: number) => `<w:bookmarkEnd w:id="${id}"/>`;

describe('ranges', () => {
  const body = `<w:p>${begin(7)}${run('one')}</w:p><w:p>${run('two')}${end(7)}${run('three')}</w:p>`;

  test('[FD21] a bookmark that lost an end is where the other one is', () => {
    const withoutStart = edit({ body }, (tr) => tr.delete(0, tr.doc.child(0).nodeSize));
    expect(blocks(withoutStart.xml)).toBe(`<w:p>${run('two')}${begin(7)}${end(7)}${run('three')}</w:p>`);
    const withoutEnd = edit({ body }, (tr) => {
      const from = tr.doc.child(0).nodeSize;
      return tr.delete(from, from + tr.doc.child(1).nodeSize);
    });
    expect(blocks(withoutEnd.xml)).toBe(`<w:p>${begin(7)}${end(7)}${run('one')}</w:p>`);
  });

  test('[FD21] a bookmark that lost both ends is gone, and one whose ends changed places is whole', () => {
    const gone = edit({ body: `${body}<w:p/>` }, (tr) => tr.delete(0, tr.doc.content.size - 2));
    expect(blocks(gone.xml)).toBe('<w:p/>');
    const turned = edit({ body }, (tr) => {
      const first = tr.doc.child(0);
      return tr.delete(0, first.nodeSize).insert(tr.doc.content.size, first);
    });
    expect(blocks(turned.xml)).toBe(
      `<w:p>${run('two')}${begin(7)}${end(7)}${run('three')}</w:p><w:p>${run('one')}</w:p>`,
    );
  });

  test('[FD21] of a permission that lost an end nothing stays, and what the file has of halves does', () => {
    const halves = `<w:p>${end(3)}<w:permStart w:id="4"/>${run('one')}</w:p><w:p>${run('two')}<w:permEnd w:id="4"/></w:p><w:p>${begin(5)}</w:p>`;
    const { xml } = edit({ body: halves }, (tr) => {
      const from = tr.doc.child(0).nodeSize;
      return tr.delete(from, from + tr.doc.child(1).nodeSize);
    });
    expect(blocks(xml)).toBe(`<w:p>${end(3)}${run('one')}</w:p><w:p>${begin(5)}</w:p>`);
  });

  test('[FD21] a copy that stands before its original does not bring a bookmark a second time', () => {
    const { xml } = edit({ body }, (tr) => tr.insert(0, tr.doc.child(0)));
    expect(xml.match(/bookmarkStart/g)).toHaveLength(1);
    expect(xml.match(/bookmarkEnd/g)).toHaveLength(1);
  });
});

describe('copies', () => {
  test('[FD22] have controls, drawings, paragraphs and tracked changes with ids of their own', () => {
    const box =
      '<w:r><w:pict><w:txbxContent><w:p w14:paraId="0000000A"><w:ins w:id="9" w:author="A"><w:r><w:t>x</w:t></w:r></w:ins></w:p></w:txbxContent></w:pict></w:r>';
    const control =
      '<w:sdt><w:sdtPr><w:id w:val="-5"/><w:dropDownList/></w:sdtPr><w:sdtContent><w:r><w:t>c</w:t></w:r></w:sdtContent></w:sdt>';
    const drawing = '<w:r><w:drawing><wp:anchor><wp:docPr id="3" name="d"/></wp:anchor></w:drawing></w:r>';
    const { xml } = edit({ body: `<w:p>${box}${control}${drawing}</w:p>` }, (tr) => {
      const { content } = tr.doc.child(0);
      return tr.insert(1, content).insert(1, content);
    });
    for (const pattern of [
      /paraId="(\w+)"/g,
      /<w:ins w:id="(\d+)"/g,
      /<w:id w:val="(-?\d+)"/g,
      /docPr id="(\d+)"/g,
    ]) {
      const ids = [...xml.matchAll(pattern)].map(([, id]) => id);
      expect(ids).toHaveLength(3);
      expect(new Set(ids).size).toBe(3);
    }
  });

  test('[FD22] a control that is cut in two by what is typed has two ids, and what the file has twice stays', () => {
    const control = (id: number, content: string) =>
      `<w:sdt><w:sdtPr><w:id w:val="${id}"/></w:sdtPr><w:sdtContent>${run(content)}</w:sdtContent></w:sdt>`;
    const body = `<w:p>${control(1, 'abcd')}${control(2, 'x')}${control(2, 'y')}</w:p>`;
    const { xml } = edit({ body }, (tr) => tr.insert(3, text(' typed ')));
    const ids = [...xml.matchAll(/<w:id w:val="(\d+)"/g)].map(([, id]) => id);
    expect(ids.slice(2)).toEqual(['2', '2']);
    expect(new Set(ids.slice(0, 3)).size).toBe(3);
  });
});

describe('simple fields in tracked changes', () => {
  const field = (result: string) => `<w:fldSimple w:instr=" PAGE &amp; ">${result}</w:fldSimple>`;
  const atomAt = 1;

  test('[FD23] are complex ones, with the names that a deletion has', () => {
    const { xml, reopened } = edit({ body: `<w:p>${field(run('4'))}</w:p>` }, (tr) =>
      tr.addMark(atomAt, atomAt + 1, marks.del.create(BEN)),
    );
    expect(blocks(xml)).toBe(
      '<w:p><w:del w:id="1" w:author="Ben" w:date="2025-01-02T03:04:05Z"><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:delInstrText xml:space="preserve"> PAGE &amp; </w:delInstrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:delText>4</w:delText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:del></w:p>',
    );
    const [atom] = reopened.doc.child(0).children;
    expect(atom?.attrs).toMatchObject({ kind: 'field' });
    expect(atom?.marks.map(({ type }) => type.name)).toEqual(['del']);
  });

  test('[FD23] that hold links, and links that the model does not hold, have the changes in them', () => {
    const link = `<w:hyperlink w:anchor="b">${run('l')}</w:hyperlink>`;
    const ins = '<w:ins w:id="1" w:author="Ben" w:date="2025-01-02T03:04:05Z">';
    const { xml } = edit({ body: `<w:p>${field(run('4') + link)}</w:p>` }, (tr) =>
      tr.addMark(atomAt, atomAt + 1, marks.ins.create(BEN)),
    );
    expect(blocks(xml)).toBe(
      `<w:p>${field(`${ins}${run('4')}</w:ins><w:hyperlink w:anchor="b">${ins.replace('"1"', '"2"')}${run('l')}</w:ins></w:hyperlink>`)}</w:p>`,
    );
  });

  test('[FD23] stay as they are where the file has them so, and elsewhere', () => {
    const body = `<w:p><w:ins w:id="1" w:author="Ann">${field(run('4'))}</w:ins>${run('text')}</w:p>`;
    const { xml } = edit({ body }, (tr) => tr.insert(positionOf(tr.doc, 'text'), Fragment.from(text('new'))));
    expect(blocks(xml)).toContain(`<w:ins w:id="1" w:author="Ann">${field(run('4'))}</w:ins>`);
  });
});
