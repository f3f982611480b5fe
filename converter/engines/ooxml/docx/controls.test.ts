import { Transform } from 'prosemirror-transform';
import { describe, expect, it } from 'vitest';
import { encodeChange } from '../../../../model/word/change.ts';
import { wordSchema } from '../../../../model/word/schema.ts';
import { buildDocx, type DocxFixture } from '../../../../test/support/docx-fixture.ts';
import { openDocx } from './docx-engine.ts';
import { assembleDocx } from './testing/assemble-docx.ts';
import { blocks, edit, positionOf } from './testing/docx-edit.ts';

const STORE = '{11111111-AAAA-4BBB-8CCC-222222222222}';
const DATA = 'urn:data';
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

const run = (text: string, properties = '') => `<w:r>${properties}<w:t>${text}</w:t></w:r>`;
const paragraph = (...content: string[]) => `<w:p>${content.join('')}</w:p>`;
const control = (properties: string, content: string) =>
  `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
const bound = (xpath: string, store = STORE, mappings = `xmlns:d='${DATA}'`) =>
  `<w:dataBinding w:prefixMappings="${mappings}" w:xpath="${xpath}" w:storeItemID="${store}"/>`;
const PLACEHOLDER = '<w:rPr><w:rStyle w:val="PlaceholderText"/></w:rPr>';

/** A docx with a part of data that controls are bound to. */
function withData(data: string, body: string, more: Partial<DocxFixture> = {}): DocxFixture {
  const { parts, relationships = [], ...rest } = more;
  return {
    body,
    relationships: [{ id: 'rIdX', type: 'customXml', target: '../customXml/item1.xml' }, ...relationships],
    parts: {
      'customXml/item1.xml': data,
      'customXml/_rels/item1.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/customXmlProps" Target="itemProps1.xml"/></Relationships>`,
      'customXml/itemProps1.xml': `<ds:datastoreItem xmlns:ds="http://schemas.openxmlformats.org/officeDocument/2006/customXml" ds:itemID="${STORE}"/>`,
      ...parts,
    },
    ...rest,
  };
}

const DOCUMENT = `<?xml version="1.0"?>\n<form xmlns="${DATA}" xmlns:o="urn:o"><name kind="a">Ann</name><!-- kept --><name>Bob</name><o:city/></form>`;

/** Puts other letters in the place of a text, formatted as it was. */
const retype = (was: string, now: string) => (tr: Transform) => {
  const from = positionOf(tr.doc, was);
  const marks = tr.doc.nodeAt(from)!.marks;
  return tr.replaceWith(from, from + was.length, wordSchema.text(now, marks));
};

describe('bound content controls of a docx', () => {
  it.each([
    ['around a paragraph', control(`${bound('/d:form[1]/d:name[1]')}<w:text/>`, paragraph(run('Ann')))],
    ['in a line', paragraph(run('By:'), control(`${bound('/d:form[1]/d:name[1]')}<w:text/>`, run('Ann')))],
    [
      'in a cell',
      `<w:tbl><w:tr><w:tc>${control(`${bound('/d:form/d:name')}<w:text/>`, paragraph(run('Ann')))}<w:p/></w:tc></w:tr></w:tbl>`,
    ],
  ])(
    '[FD40] what is typed in a control %s is the value of its node, and nothing else of the data changes',
    (_where, body) => {
      const { part, xml } = edit(withData(DOCUMENT, body), retype('Ann', 'Zoë & Max'));
      expect(part('customXml/item1.xml')).toBe(DOCUMENT.replace('Ann', 'Zoë &amp; Max'));
      expect(xml).toContain('Zoë &amp; Max');
    },
  );

  it.each([
    ['an attribute', '/d:form/d:name[1]/@kind', DOCUMENT.replace('kind="a"', 'kind="new"')],
    ['the second of a name', '/d:form[1]/d:name[2]', DOCUMENT.replace('Bob', 'new')],
    [
      'an element of another namespace that is empty',
      '/*/o:city',
      DOCUMENT.replace('<o:city/>', '<o:city>new</o:city>'),
    ],
    ['a node at any depth, by its value', "//d:name[@kind='a']/text()", DOCUMENT.replace('Ann', 'new')],
    ['the last of a name', '/d:form/d:name[last()]', DOCUMENT.replace('Bob', 'new')],
  ])('[FD40] a path leads to %s', (_what, path, expected) => {
    const binding = bound(path, STORE, `xmlns:d='${DATA}' xmlns:o='urn:o'`);
    const { part } = edit(withData(DOCUMENT, control(binding, paragraph(run('old')))), retype('old', 'new'));
    expect(part('customXml/item1.xml')).toBe(expected);
  });

  it('[FD40] lines of a text are lines of the value', () => {
    const body = control(
      `${bound('/d:form/d:name[1]')}<w:text w:multiLine="1"/>`,
      paragraph(run('Ann'), '<w:r><w:br/></w:r>', run('B')),
    );
    const { part } = edit(withData(DOCUMENT, body), retype('Ann', 'Zoe'));
    expect(part('customXml/item1.xml')).toContain('>Zoe\nB</name>');
  });

  it('[FD77] a tracked change in one control counts for the others and the data when somebody has decided on it', () => {
    const one = (id: number) =>
      control(`<w:id w:val="${id}"/>${bound('/d:form/d:name[1]')}<w:text/>`, paragraph(run(`Ann`)));
    const by = { author: 'Ben', id: null, date: '2026-01-01T00:00:00Z' };
    const first = (tr: Transform) => positionOf(tr.doc, 'Ann');
    const deleted = (tr: Transform) => tr.addMark(first(tr), first(tr) + 3, wordSchema.marks.del.create(by));
    const inserted = (tr: Transform) =>
      tr.insert(first(tr) + 3, wordSchema.text('ette', [wordSchema.marks.ins.create(by)]));
    for (const change of [deleted, inserted]) {
      const { part, xml } = edit(withData(DOCUMENT, one(1) + one(2)), change);
      expect(part('customXml/item1.xml')).toBe(DOCUMENT);
      expect(xml).toMatch(/<w:(?:ins|del) /);
      expect(blocks(xml)).toContain(one(2));
    }
    const decided = edit(withData(DOCUMENT, one(1) + one(2)), (tr) =>
      tr.insert(first(tr) + 3, wordSchema.text('ette')),
    );
    expect(decided.part('customXml/item1.xml')).toContain('>Annette</name>');
    expect(blocks(decided.xml)).not.toContain(one(2));
  });

  it('[FD40] undone, and untouched, everything is as it was', () => {
    const body =
      control(`${bound('/d:form/d:name[1]')}<w:text/>`, paragraph(run('Stale'))) + paragraph(run('other'));
    const undone = edit(withData(DOCUMENT, body), (tr) => {
      retype('Stale', 'New')(tr);
      retype('New', 'Stale')(tr);
    });
    expect(Buffer.from(undone.bytes)).toEqual(Buffer.from(undone.base));
    const beside = edit(withData(DOCUMENT, body), retype('other', 'else'));
    expect(beside.part('customXml/item1.xml')).toBe(DOCUMENT);
  });

  it.each([
    ['no such part', bound('/d:form/d:name', '{99999999-AAAA-4BBB-8CCC-222222222222}')],
    ['no such node', bound('/d:form/d:nothing')],
    ['a node that holds nodes', bound('/d:form')],
  ])('[FD41] with %s the binding is harmless: text and properties stay', (_what, binding) => {
    const body = control(`${binding}<w:text/>`, paragraph(run('Ann')));
    const { part, xml } = edit(withData(DOCUMENT, body), retype('Ann', 'Zoe'));
    expect(part('customXml/item1.xml')).toBe(DOCUMENT);
    expect(blocks(xml)).toBe(body.replace('Ann', 'Zoe'));
  });

  const core = (inner: string) =>
    `<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">${inner}</cp:coreProperties>`;
  const title = `${bound('/ns1:coreProperties[1]/ns0:title[1]', '{6c3c8bc8-f283-45ae-878a-bab7291924a1}', `xmlns:ns0='http://purl.org/dc/elements/1.1/' xmlns:ns1='${PACKAGE}/metadata/core-properties'`)}<w:text/>`;
  const properties = (inner: string): Partial<DocxFixture> => ({
    parts: {
      'docProps/core.xml': core(inner),
      '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/><Relationship Id="rId2" Type="${PACKAGE}/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`,
    },
  });

  it.each([
    ['has', '<dc:title>Old</dc:title>', '<dc:title>New</dc:title>'],
    ['lacks', '<dc:creator>A</dc:creator>', '<dc:creator>A</dc:creator><dc:title>New</dc:title>'],
  ])('[FD42] a property of the document that its part %s is written along', (_what, before, after) => {
    const body = control(title, paragraph(run('Old')));
    const { part } = edit(withData(DOCUMENT, body, properties(before)), retype('Old', 'New'));
    expect(part('docProps/core.xml')).toBe(core(after));
  });

  it('[FD43] all controls of a value show it, those of headers too, and placeholders of it fall', () => {
    const header = (text: string) =>
      `<w:hdr xmlns:w="${WORD}"><w:p>${control(`${bound('/d:form/d:name[1]')}<w:text/>`, text)}</w:p></w:hdr>`;
    const body =
      control(`<w:id w:val="1"/>${bound('/d:form/d:name[1]')}<w:text/>`, paragraph(run('Ann'))) +
      paragraph(
        control(
          `<w:id w:val="2"/><w:showingPlcHdr/>${bound('/d:form/d:name[1]')}<w:text/>`,
          run('Name', PLACEHOLDER),
        ),
      ) +
      paragraph(
        control(
          `<w:id w:val="3"/>${bound('/d:form/d:name[1]')}<w:text/>`,
          run('Ann', '<w:rPr><w:b/></w:rPr>'),
        ),
      ) +
      paragraph(control(`<w:id w:val="4"/>${bound('/d:form/d:name[2]')}<w:text/>`, run('Ann')));
    const styles = `<w:styles xmlns:w="${WORD}"><w:style w:type="character" w:styleId="PlaceholderText"><w:name w:val="Placeholder Text"/></w:style></w:styles>`;
    const { part, xml } = edit(
      withData(DOCUMENT, body, {
        relationships: [{ id: 'rIdH', type: 'header', target: 'header1.xml' }],
        parts: { 'word/header1.xml': header(run('Ann', '<w:rPr><w:i/></w:rPr>')), 'word/styles.xml': styles },
      }),
      retype('Ann', 'Zoe'),
    );
    const [first, second, third, fourth] = blocks(xml).match(/<w:sdt>.*?<\/w:sdt>/g)!;
    expect(first).toContain('Zoe');
    expect(second).toContain('<w:sdtContent><w:r><w:t>Zoe</w:t></w:r></w:sdtContent>');
    expect(second).not.toContain('showingPlcHdr');
    expect(third).toContain('<w:r><w:rPr><w:b/></w:rPr><w:t>Zoe</w:t></w:r>');
    expect(fourth).toContain('Ann');
    expect(part('word/header1.xml')).toBe(header('<w:r><w:rPr><w:i/></w:rPr><w:t>Zoe</w:t></w:r>'));
  });

  it('[FD43] of two controls of a value that were changed otherwise, the first has it and the other its text', () => {
    const one = (id: number) =>
      control(`<w:id w:val="${id}"/>${bound('/d:form/d:name[1]')}<w:text/>`, paragraph(run(`Ann${id}`)));
    const { part, xml } = edit(withData(DOCUMENT, one(1) + one(2)), (tr) => {
      retype('Ann1', 'Zoe')(tr);
      retype('Ann2', 'Max')(tr);
    });
    expect(part('customXml/item1.xml')).toBe(DOCUMENT.replace('Ann', 'Zoe'));
    expect(xml.match(/dataBinding/g)).toHaveLength(1);
    expect(xml).toContain('Max');
  });

  const list = (name: string) =>
    `<w:${name} w:lastValue="1"><w:listItem w:displayText="One" w:value="1"/><w:listItem w:displayText="Two" w:value="2"/></w:${name}>`;
  const date = (stored: string) =>
    `<w:date w:fullDate="2024-05-06T00:00:00Z"><w:dateFormat w:val="dd. MMMM yyyy"/><w:lid w:val="en-GB"/><w:storeMappedDataAs w:val="${stored}"/></w:date>`;
  it.each([
    ['of a list', list('comboBox'), 'Two', '2', 'w:lastValue="2"'],
    ['that a list lacks', list('dropDownList'), 'Three', 'Three', 'w:lastValue="Three"'],
    [
      'a time',
      date('dateTime'),
      '09. March 2025',
      '2025-03-09T00:00:00',
      'w:fullDate="2025-03-09T00:00:00Z"',
    ],
    ['a date', date('date'), '9. Mar 2025', '2025-03-09', 'w:fullDate="2025-03-09T00:00:00Z"'],
    [
      'a date that is stored as it is told',
      date('text'),
      '09. March 2025',
      '09. March 2025',
      'w:fullDate="2025-03-09T00:00:00Z"',
    ],
    ['no date', date('date'), 'next week', 'next week', '<w:date>'],
  ])('[FD44] the value of a control that shows %s', (_what, kind, shown, value, said) => {
    const body = control(bound('/d:form/d:name[1]') + kind, paragraph(run('One')));
    const { part, xml } = edit(withData(DOCUMENT, body), retype('One', shown));
    expect(part('customXml/item1.xml')).toBe(DOCUMENT.replace('Ann', value));
    expect(xml).toContain(said);
  });

  it('[FD44] a check box is what its sign says', () => {
    const box =
      '<w14:checkbox><w14:checked w14:val="0"/><w14:checkedState w14:val="2612" w14:font="MS Gothic"/></w14:checkbox>';
    const body = control(bound('/d:form/d:name[1]') + box, paragraph(run('☐')));
    const { part, xml } = edit(withData(DOCUMENT, body), retype('☐', '☒'));
    expect(part('customXml/item1.xml')).toBe(DOCUMENT.replace('Ann', 'true'));
    expect(xml).toContain('<w14:checked w14:val="1"/>');
  });

  it.each([
    [
      'a package of formatted text',
      DOCUMENT.replace('Ann', '&lt;pkg:package/&gt;'),
      bound('/d:form/d:name[1]'),
    ],
    ['a node that is found in a way not known here', DOCUMENT, bound('/d:form/d:name[position() &lt; 2]')],
  ])(
    '[FD45] where the value is %s the binding goes when the content was changed all the same',
    (_what, data, binding) => {
      const body = control(binding, paragraph(run('Old'))) + paragraph(run('beside'));
      const changed = edit(withData(data, body), retype('Old', 'New'));
      expect(changed.part('customXml/item1.xml')).toBe(data);
      expect(blocks(changed.xml)).toBe(body.replace(binding, '').replace('Old', 'New'));
      const beside = edit(withData(data, body), retype('beside', 'else'));
      expect(beside.xml).toContain(binding);
    },
  );
});

describe('placeholders, locks and protection of a docx', () => {
  const styles = `<w:styles xmlns:w="${WORD}"><w:style w:type="character" w:styleId="PlaceholderText"><w:name w:val="Placeholder Text"/></w:style></w:styles>`;
  const withStyles = (body: string): DocxFixture => ({ body, parts: { 'word/styles.xml': styles } });
  const both = '<w:rPr><w:rStyle w:val="PlaceholderText"/><w:b/></w:rPr>';
  const shows = '<w:showingPlcHdr/><w:text/>';

  it.each([
    ['around a paragraph', control(shows, paragraph(run('Enter', PLACEHOLDER), run(' it', both)))],
    ['in a line', paragraph(run('By:'), control(shows, run('Enter', PLACEHOLDER) + run(' it', both)))],
  ])('[FD46] a control %s shows no placeholder any more when somebody typed in it', (_where, body) => {
    const { xml } = edit(withStyles(body), retype('Enter', 'Ann'));
    const expected = body.replace('<w:showingPlcHdr/>', '').replace(PLACEHOLDER, '');
    expect(blocks(xml)).toBe(expected.replace(both, '<w:rPr><w:b/></w:rPr>').replace('Enter', 'Ann'));
  });

  it('[FD46] it shows it still when it was formatted, or what is beside it changed', () => {
    const body = paragraph(control(shows, run('Enter', PLACEHOLDER)), run('beside'));
    expect(blocks(edit(withStyles(body), retype('beside', 'else')).xml)).toBe(body.replace('beside', 'else'));
    const formatted = edit(withStyles(body), (tr) => {
      const from = positionOf(tr.doc, 'Enter');
      return tr.addMark(from, from + 5, wordSchema.marks.bold.create());
    });
    expect(formatted.xml).toContain('<w:showingPlcHdr/>');
    expect(formatted.xml).toContain('PlaceholderText');
  });

  const rightsOf = (body: string, more: Partial<DocxFixture> = {}) => {
    const { controls, fillable } = openDocx(buildDocx(withData(DOCUMENT, body, more))).model();
    return { controls, fillable };
  };
  const text = paragraph(run('x'));

  it.each([
    ['text', '<w:text/>', null, true],
    ['bound text', `${bound('/d:form/d:name[1]')}<w:text/>`, null, true],
    ['a locked text', '<w:lock w:val="contentLocked"/><w:text/>', 'locked', false],
    ['a group', '<w:group/>', 'group', false],
    ['what is bound in a way not known here', bound('/d:form/d:name[position()=1]'), 'bound', false],
    ['a bound check box', `${bound('/d:form/d:name[1]')}<w14:checkbox/>`, 'bound', false],
  ])(
    '[FD47] the model says of a control of %s whether people may type in it',
    (_what, kind, held, fillable) => {
      const rights = rightsOf(control(kind, text));
      expect(rights.controls!.map((one) => one.held)).toEqual(held ? [held] : []);
      expect(rights.fillable).toHaveLength(fillable ? 1 : 0);
    },
  );

  it('[FD47] a control whose value is a package of formatted text is held, and it says what stays and what asks for text', () => {
    const data = { parts: { 'customXml/item1.xml': DOCUMENT.replace('Ann', '&lt;pkg:package/&gt;') } };
    expect(rightsOf(control(bound('/d:form/d:name[1]'), text), data).controls).toMatchObject([
      { held: 'bound' },
    ]);
    const locked = '<w:lock w:val="sdtLocked"/>';
    expect(rightsOf(control(`${locked}<w:showingPlcHdr/>`, text)).controls).toEqual([
      { ref: 'w0', held: null, stays: true, showsPlaceholder: true },
    ]);
    const whole = paragraph(control(`${locked}<w:dropDownList/>`, run('x')));
    expect(rightsOf(whole).controls).toMatchObject([{ stays: true, ref: expect.stringMatching(/^a/) }]);
  });

  const settings = (inner: string): DocxFixture => ({
    paragraphs: ['x'],
    relationships: [{ id: 'rIdS', type: 'settings', target: 'settings.xml' }],
    parts: {
      'word/settings.xml': `<w:settings xmlns:w="${WORD}"><w:zoom w:percent="90"/>${inner}<w:defaultTabStop w:val="708"/></w:settings>`,
    },
  });
  const readProtection = (inner: string) => openDocx(buildDocx(settings(inner))).model().settings.protection;

  it('[FD50] a protection that is enforced is read, with how to know its password', () => {
    const element = (more: string) => `<w:documentProtection w:edit="comments" ${more}/>`;
    expect(readProtection(element('w:enforcement="1"'))).toEqual({ edit: 'comments', password: null });
    expect(readProtection(element('w:enforcement="0"'))).toBeNull();
    expect(readProtection('<w:documentProtection w:formatting="1" w:enforcement="1"/>')).toBeNull();
    expect(readProtection('')).toBeNull();
    const old =
      'w:enforcement="1" w:cryptAlgorithmSid="4" w:cryptSpinCount="100000" w:hash="aGFzaA==" w:salt="c2FsdA=="';
    const password = { hash: 'aGFzaA==', salt: 'c2FsdA==', spinCount: 100_000 };
    expect(readProtection(element(old))).toEqual({
      edit: 'comments',
      password: { ...password, algorithm: 'SHA-1' },
    });
    const now =
      'w:enforcement="1" w:algorithmName="SHA-512" w:spinCount="100000" w:hashValue="aGFzaA==" w:saltValue="c2FsdA=="';
    expect(readProtection(element(now))).toEqual({
      edit: 'comments',
      password: { ...password, algorithm: 'SHA-512' },
    });
    const unknown =
      'w:enforcement="1" w:algorithmName="WHIRLPOOL" w:hashValue="aGFzaA==" w:saltValue="c2FsdA=="';
    expect(readProtection(element(unknown))?.password?.algorithm).toBeNull();
  });

  it('[FD52] a lifted protection is not enforced in the file, and nothing else of it changes', () => {
    const element =
      '<w:documentProtection w:edit="readOnly" w:enforcement="1" w:cryptAlgorithmSid="4" w:hash="aGFzaA==" w:salt="c2FsdA=="/>';
    const lifted = edit(settings(element), (tr) => tr.setDocAttribute('lifted', true));
    const expected = settings('<w:documentProtection w:edit="readOnly" w:enforcement="0"/>');
    expect(lifted.part('word/settings.xml')).toBe(expected.parts!['word/settings.xml']);
    expect(lifted.reopened.model().settings.protection).toBeNull();
    const undone = edit(settings(element), (tr) =>
      tr.setDocAttribute('lifted', true).setDocAttribute('lifted', false),
    );
    expect(Buffer.from(undone.bytes)).toEqual(Buffer.from(undone.base));
    const none = edit(settings(''), (tr) => tr.setDocAttribute('lifted', true));
    expect(Buffer.from(none.bytes)).toEqual(Buffer.from(none.base));
  });

  it('[FD51] the file lacks what a protection, or a locked control, did not allow', () => {
    const me = { name: 'Ann' };
    const fixture = settings('<w:documentProtection w:edit="comments" w:enforcement="1"/>');
    const step = (base: Uint8Array, was: string) => {
      const tr = new Transform(openDocx(base).doc);
      retype(was, 'new')(tr);
      return encodeChange('c', tr.steps[0]!);
    };
    const lift = (base: Uint8Array) =>
      encodeChange('c', new Transform(openDocx(base).doc).setDocAttribute('lifted', true).steps[0]!);
    const base = buildDocx(fixture);
    const change = { change: step(base, 'x'), author: me };
    expect(assembleDocx(base, [change])).toMatchObject({ skipped: [{ index: 0, reason: 'not-allowed' }] });
    expect(assembleDocx(base, [{ change: lift(base), author: me }, change]).skipped).toEqual([]);
    expect(
      assembleDocx(base, [{ change: lift(base), author: { ...me, may: ['comment'] } }]).skipped,
    ).toHaveLength(1);
    const locked = buildDocx({ body: control('<w:lock w:val="contentLocked"/>', paragraph(run('Ann'))) });
    expect(assembleDocx(locked, [{ change: step(locked, 'Ann'), author: me }]).skipped).toHaveLength(1);
    expect(assembleDocx(locked, [step(locked, 'Ann')]).skipped).toEqual([]);
  });
});
