import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { EditorWorld } from './editor-world.ts';
import { bodyOf, EditedDocument, type Person, partsOf, plain, run, withoutSpace } from './person.ts';

describe.skipIf(!hasBrowser)('formatting of paragraphs, lists, tables and links in the page', () => {
  let world: EditorWorld;
  beforeAll(async () => {
    world = await EditorWorld.open();
  });
  afterAll(() => world?.close());

  it('[EF3] each way to format paragraphs is their property in the delivered file', async () => {
    const spacing = { spaceBefore: '6', indentRight: '36' };
    const cases: readonly (readonly [string, (person: Person) => Promise<unknown>, string])[] = [
      ['centred', (ann) => ann.tool('Centre').click(), '<w:jc w:val="center"/>'],
      ['to the right', (ann) => ann.press('Control+r'), '<w:jc w:val="right"/>'],
      ['justified', (ann) => ann.press('Control+j'), '<w:jc w:val="both"/>'],
      ['indented', (ann) => ann.tool('Increase indent').click(), '<w:ind w:left="720"/>'],
      [
        'double',
        (ann) => ann.chooseTool('Spacing and indents', 'Double spacing'),
        '<w:spacing w:line="480" w:lineRule="auto"/>',
      ],
      [
        'a heading',
        (ann) =>
          ann.editor.frame.getByRole('combobox', { name: 'Style' }).selectOption({ label: 'Heading 1' }),
        '<w:pStyle w:val="Heading1"/>',
      ],
      ['turned', (ann) => ann.choose('Format', 'Right-to-left text'), '<w:bidi/>'],
      [
        'spaced',
        async (ann) => {
          await ann.choose('Format', 'Spacing and indents');
          await ann.confirm(spacing);
        },
        '<w:spacing w:before="120"/><w:ind w:right="720"/>',
      ],
    ];
    const document = new EditedDocument(world, 'paragraphs', {
      paragraphs: [...cases.map(([name]) => `${name} it is`), 'in and out'],
      body: `<w:p><w:pPr><w:bidi/></w:pPr>${run('to the left of the other direction')}</w:p>`,
    });
    const ann = await document.open();
    for (const [name, act] of cases) {
      await ann.cursorAfter(name);
      await act(ann);
    }
    await ann.cursorAfter('in and out');
    await ann.press('Control+m', 'Control+Shift+m');
    await ann.cursorAfter('to the left of');
    await ann.tool('Align left').click();
    expect(ann.editor.problems).toEqual([]);
    const after = await document.delivered(ann);
    const turned = run('to the left of the other direction');
    const before = partsOf(document.source);
    const expected = cases
      .reduce(
        (xml, [name, , properties]) =>
          xml.replace(
            plain(`${name} it is`),
            `<w:p><w:pPr>${properties}</w:pPr>${run(`${name} it is`)}</w:p>`,
          ),
        before['word/document.xml']!,
      )
      .replace(`<w:bidi/></w:pPr>${turned}`, `<w:bidi/><w:jc w:val="right"/></w:pPr>${turned}`);
    expect(after['word/document.xml']).toBe(expected);
    expect({ ...after, 'word/document.xml': '' }).toEqual({ ...before, 'word/document.xml': '' });
  });

  it('[EF4] lists, their levels and what typing makes a list are numbering of the delivered file', async () => {
    const document = new EditedDocument(world, 'lists', {
      paragraphs: ['bullets one', 'bullets two', 'numbers one', 'numbers two', 'outline one', 'plain'],
      body: `<w:p>${run('typed')}</w:p><w:p/>`,
    });
    const ann = await document.open();
    await ann.cursorAfter('bullets one');
    await ann.tool('Bulleted list').click();
    await ann.cursorAfter('bullets two');
    await ann.press('Control+Shift+l', 'Home', 'Tab');
    await ann.select('numbers one');
    await ann.press('Shift+ArrowDown');
    await ann.tool('Numbered list').click();
    await ann.cursorAfter('outline one');
    await ann.chooseTool('Other lists', 'Multilevel list');
    await ann.press('End', 'Enter');
    await ann.type('outline deeper');
    await ann.press('Home', 'Tab', 'End', 'Enter', 'Enter', 'Enter');
    await ann.type('left the list');
    await ann.cursorAfter('typed');
    await ann.press('ArrowDown');
    await ann.type('1. first');
    await ann.press('Enter');
    await ann.type('second');
    expect(ann.editor.problems).toEqual([]);
    const after = await document.delivered(ann);
    const item = (id: number, level: number, text: string) =>
      `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${id}"/></w:numPr></w:pPr>${run(text)}</w:p>`;
    const expected = [
      item(1, 0, 'bullets one'),
      item(1, 1, 'bullets two'),
      item(2, 0, 'numbers one'),
      item(2, 0, 'numbers two'),
      item(3, 0, 'outline one'),
      item(3, 1, 'outline deeper'),
      plain('left the list'),
      plain('plain'),
      plain('typed'),
      item(4, 0, 'first'),
      item(4, 0, 'second'),
    ];
    expect(bodyOf(after)).toBe(withoutSpace(expected.join('')));
    const numbering = after['word/numbering.xml'] ?? '';
    const formats = [...numbering.matchAll(/<w:lvl w:ilvl="0">.*?<w:numFmt w:val="(\w+)"/g)];
    expect(formats.map(([, format]) => format)).toEqual(['bullet', 'decimal', 'decimal', 'decimal']);
    expect(numbering).toContain('<w:lvlText w:val="%1.%2."/>');
    expect(after['[Content_Types].xml']).toContain('/word/numbering.xml');
  });

  it('[EF5] links are made, changed and taken away, and breaks put in, as the file has them', async () => {
    const document = new EditedDocument(world, 'links', {
      body: [
        `<w:p>${run('a new ')}${run('link', '<w:i/>')}${run(' here')}</w:p>`,
        plain('insert: '),
        `<w:p><w:hyperlink r:id="rId7">${run('old address', '<w:rStyle w:val="Hyperlink"/>')}</w:hyperlink></w:p>`,
        `<w:p><w:hyperlink r:id="rId8">${run('gone', '<w:rStyle w:val="Hyperlink"/>')}</w:hyperlink></w:p>`,
        plain('line break'),
        plain('page break'),
      ].join(''),
      relationships: [
        { id: 'rId7', type: 'hyperlink', target: 'https://old.example/', external: true },
        { id: 'rId8', type: 'hyperlink', target: 'https://gone.example/', external: true },
      ],
    });
    const ann = await document.open();
    const dialog = ann.editor.frame.getByRole('dialog', { name: 'Link' });
    await ann.select('link');
    await ann.press('Control+k');
    await dialog.locator('[name="href"]').fill('no address');
    await dialog.getByRole('button', { name: 'OK' }).click();
    await dialog.getByText('Enter a web or mail address').waitFor();
    expect(await dialog.locator('[name="href"]').inputValue()).toBe('no address');
    await ann.confirm({ href: 'example.com/new' });
    await ann.press('ArrowRight');
    await ann.type('!');
    await ann.cursorAfter('insert:');
    await ann.press('End');
    await ann.tool('Link').click();
    await ann.confirm({ href: 'ann@example.com', text: 'write to Ann' });
    await ann.type(' or call');
    await ann.cursorAfter('old add');
    await ann.press('Control+k');
    expect(await dialog.locator('[name="href"]').inputValue()).toBe('https://old.example/');
    await ann.confirm({ href: 'https://changed.example/' });
    await ann.cursorAfter('gone');
    await ann.choose('Format', 'Remove link');
    await ann.cursorAfter('line');
    await ann.press('Shift+Enter');
    await ann.cursorAfter('page');
    await ann.press('Control+Enter');
    expect(ann.editor.problems).toEqual([]);
    const after = await document.delivered(ann);
    const linked = (id: string, text: string, more = '') =>
      `<w:hyperlink r:id="${id}">${run(text, `<w:rStyle w:val="Hyperlink"/>${more}`)}</w:hyperlink>`;
    const expected = [
      `<w:p>${run('a new ')}${linked('rId9', 'link', '<w:i/>')}${run('!', '<w:i/>')}${run(' here')}</w:p>`,
      `<w:p>${run('insert: ')}${linked('rId10', 'write to Ann')}${run(' or call')}</w:p>`,
      `<w:p>${linked('rId11', 'old address')}</w:p>`,
      plain('gone'),
      '<w:p><w:r><w:t>line</w:t><w:br/><w:t> break</w:t></w:r></w:p>',
      '<w:p><w:r><w:t>page</w:t><w:br w:type="page"/></w:r></w:p>',
      plain(' break'),
    ];
    expect(bodyOf(after)).toBe(withoutSpace(expected.join('')));
    for (const target of ['https://example.com/new', 'mailto:ann@example.com', 'https://changed.example/']) {
      expect(after['word/_rels/document.xml.rels']).toContain(`Target="${target}" TargetMode="External"`);
    }
  });

  it('[EF6] tables are inserted, and their rows, columns and cells changed, as the file has them', async () => {
    const cell = (text: string) =>
      `<w:tc><w:tcPr><w:tcW w:w="2000" w:type="dxa"/></w:tcPr><w:p>${run(text)}</w:p></w:tc>`;
    const row = (...texts: string[]) => `<w:tr>${texts.map(cell).join('')}</w:tr>`;
    const table = (...rows: string[]) =>
      `<w:tbl><w:tblPr><w:tblW w:w="4000" w:type="dxa"/></w:tblPr><w:tblGrid><w:gridCol w:w="2000"/><w:gridCol w:w="2000"/></w:tblGrid>${rows.join('')}</w:tbl>`;
    const document = new EditedDocument(world, 'tables', {
      paragraphs: ['insert here'],
      body: [
        plain('rows'),
        table(row('ra', 'rb'), row('rc', 'rd')),
        plain('columns'),
        table(row('ca', 'cb'), row('cc', 'cd')),
        plain('merged'),
        table(row('ma', 'mb'), row('mc', 'md')),
        plain('deleted'),
        table(row('da', 'db')),
        plain('end'),
      ].join(''),
    });
    const ann = await document.open();
    await ann.cursorAfter('insert here');
    await ann.tool('Table').click();
    await ann.confirm({ rows: '2', columns: '3' }, 'Insert');
    await ann.type('new');
    await ann.press('Tab');
    await ann.type('next');
    await ann.cursorAfter('rd');
    await ann.press('Tab');
    await ann.type('by Tab');
    await ann.cursorAfter('ra');
    await ann.choose('Table', 'Insert row above');
    await ann.cursorAfter('ra');
    await ann.choose('Table', 'Repeat as header row');
    await ann.cursorAfter('rc');
    await ann.choose('Table', 'Delete row');
    await ann.cursorAfter('ca');
    await ann.choose('Table', 'Insert column after');
    await ann.cursorAfter('cb');
    await ann.choose('Table', 'Cell shading');
    await ann.editor.frame.getByRole('dialog').getByRole('button', { name: 'Colour #FFC000' }).click();
    await ann.cursorAfter('ma');
    await ann.press('Shift+ArrowRight');
    await ann.choose('Table', 'Merge cells');
    await ann.cursorAfter('db');
    await ann.choose('Table', 'Delete table');
    expect(ann.editor.problems).toEqual([]);
    const after = await document.delivered(ann);
    const body = bodyOf(after);
    const tables = body.match(/<w:tbl>.*?<\/w:tbl>/gs) ?? [];
    expect(tables).toHaveLength(4);
    const [inserted = '', rows = '', columns = '', merged = ''] = tables;
    const texts = (xml: string) =>
      (xml.match(/<w:tr>.*?<\/w:tr>/gs) ?? []).map((line) =>
        (line.match(/<w:tc>.*?<\/w:tc>/gs) ?? []).map((one) => one.replace(/<[^>]*>/g, '')),
      );
    expect(texts(inserted)).toEqual([
      ['new', 'next', ''],
      ['', '', ''],
    ]);
    expect(inserted).toContain('<w:insideV w:val="single"');
    expect(inserted.match(/<w:gridCol w:w="(?:3000|3008)"\/>/g)).toHaveLength(3);
    expect(texts(rows)).toEqual([
      ['', ''],
      ['ra', 'rb'],
      ['by Tab', ''],
    ]);
    expect(rows.match(/<w:trPr><w:tblHeader\/><\/w:trPr>/g)).toHaveLength(1);
    expect(texts(columns)).toEqual([
      ['ca', '', 'cb'],
      ['cc', '', 'cd'],
    ]);
    const widths = [...columns.matchAll(/<w:gridCol w:w="(\d+)"/g)].map(([, width]) => Number(width));
    expect(widths[0]! + widths[1]!).toBeCloseTo(2000, -2);
    expect(columns.match(/w:fill="FFC000"/g)).toHaveLength(1);
    expect(merged).toContain('<w:gridSpan w:val="2"/>');
    expect(texts(merged)).toEqual([['mamb'], ['mc', 'md']]);
    expect(body.endsWith(withoutSpace(plain('deleted') + plain('end')))).toBe(true);
  });
});
