import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { EditorWorld } from './editor-world.ts';
import { EditedDocument, type Person, partsOf, plain, run, withoutSpace } from './person.ts';

/** What is done to the word `here` of a paragraph, and the run properties that it gives. */
const cases: readonly (readonly [
  name: string,
  act: (person: Person) => Promise<void>,
  properties: string,
])[] = [
  ['bold by button', (person) => person.tool('Bold').click(), '<w:b/>'],
  ['bold by key', (person) => person.press('Control+b'), '<w:b/>'],
  ['italic', (person) => person.tool('Italic').click(), '<w:i/>'],
  ['underline', (person) => person.press('Control+u'), '<w:u w:val="single"/>'],
  ['strike', (person) => person.choose('Format', 'Strikethrough'), '<w:strike/>'],
  ['superscript', (person) => person.press('Control+.'), '<w:vertAlign w:val="superscript"/>'],
  ['subscript', (person) => person.choose('Format', 'Subscript'), '<w:vertAlign w:val="subscript"/>'],
  ['colour', (person) => swatch(person, 'Text colour', 'Colour #C00000'), '<w:color w:val="C00000"/>'],
  ['highlight', (person) => swatch(person, 'Highlight', 'Colour #ffff00'), '<w:highlight w:val="yellow"/>'],
  ['font', (person) => option(person, 'Font', 'Georgia'), '<w:rFonts w:ascii="Georgia" w:hAnsi="Georgia"/>'],
  ['size', (person) => option(person, 'Font size', '16'), '<w:sz w:val="32"/>'],
  ['larger', (person) => person.press('Control+Shift+.'), '<w:sz w:val="24"/>'],
  ['smaller', (person) => person.press('Control+['), '<w:sz w:val="20"/>'],
];

async function swatch(person: Person, button: string, name: string): Promise<void> {
  await person.tool(button).click();
  await person.editor.frame.getByRole('dialog', { name: button }).getByRole('button', { name }).click();
}

async function option({ editor }: Person, name: string, value: string): Promise<void> {
  await editor.frame.getByRole('combobox', { name, exact: true }).selectOption({ label: value });
}

describe.skipIf(!hasBrowser)('formatting of text in the page', () => {
  let world: EditorWorld;
  beforeAll(async () => {
    world = await EditorWorld.open();
  });
  afterAll(() => world?.close());

  it('[EF1] each way to format text is the property of its run in the delivered file, and nothing else changes', async () => {
    const document = new EditedDocument(world, 'runs', {
      paragraphs: [...cases.map(([name]) => `${name}: here it is`), 'untouched'],
    });
    const ann = await document.open();
    for (const [name, act] of cases) {
      await ann.select(`${name}: here`);
      await ann.press('ArrowRight');
      for (let letter = 0; letter < 4; letter++) await ann.press('Shift+ArrowLeft');
      await act(ann);
    }
    expect(ann.editor.problems).toEqual([]);
    const before = partsOf(document.source);
    const after = await document.delivered(ann);
    const expected = cases.reduce(
      (xml, [name, , properties]) =>
        xml.replace(
          plain(`${name}: here it is`),
          `<w:p>${run(`${name}: `)}<w:r><w:rPr>${properties}</w:rPr><w:t>here</w:t></w:r>${run(' it is')}</w:p>`,
        ),
      before['word/document.xml']!,
    );
    expect(after['word/document.xml']).toBe(expected);
    expect({ ...after, 'word/document.xml': '' }).toEqual({ ...before, 'word/document.xml': '' });
  });

  it('[EF2] clearing, switching off and “automatic” leave exactly what is meant, also where a style says otherwise', async () => {
    const rtl = '<w:rtl/><w:lang w:bidi="ar-SA"/>';
    const heading = '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>';
    const linked = '<w:rStyle w:val="Hyperlink"/>';
    const document = new EditedDocument(world, 'cleared', {
      body: [
        `<w:p>${run('off again')}</w:p>`,
        `<w:p>${run('cleared', '<w:b/><w:caps/><w:sz w:val="40"/>')}</w:p>`,
        `<w:p>${run('direction', `<w:b/>${rtl}`)}</w:p>`,
        `<w:p>${heading}${run('thin heading')}</w:p>`,
        `<w:p>${run('black', linked)}</w:p>`,
        `<w:p>${run('was scarlet', '<w:color w:val="FF0000"/>')}</w:p>`,
        `<w:p>${run('raised', '<w:vertAlign w:val="superscript"/>')}</w:p>`,
      ].join(''),
    });
    const ann = await document.open();
    await ann.select('off again');
    await ann.press('Control+b', 'Control+b');
    for (const text of ['cleared', 'direction']) {
      await ann.select(text);
      await ann.tool('Clear formatting').click();
    }
    await ann.select('thin heading');
    await ann.press('Control+b');
    for (const text of ['black', 'was scarlet']) {
      await ann.select(text);
      await ann.tool('Text colour').click();
      await ann.editor.frame.getByRole('button', { name: 'Automatic' }).click();
    }
    await ann.select('raised');
    await ann.press('Control+.');
    expect(ann.editor.problems).toEqual([]);
    const before = partsOf(document.source)['word/document.xml']!;
    const after = (await document.delivered(ann))['word/document.xml']!;
    const expected = [
      ['<w:b/><w:caps/><w:sz w:val="40"/>', ''],
      [`<w:b/>${rtl}`, rtl],
      [linked, `${linked}<w:color w:val="auto"/>`],
      ['<w:color w:val="FF0000"/>', ''],
      ['<w:vertAlign w:val="superscript"/>', ''],
    ].reduce(
      (xml, [from, to]) => xml.replace(`<w:rPr>${from}</w:rPr>`, to ? `<w:rPr>${to}</w:rPr>` : ''),
      before.replace(`${heading}<w:r>`, `${heading}<w:r><w:rPr><w:b w:val="0"/></w:rPr>`),
    );
    expect(withoutSpace(after)).toBe(withoutSpace(expected));
  });
});
