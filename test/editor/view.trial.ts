import { describe, expect, it } from 'vitest';
import { ConversionError } from '../../converter/errors.ts';
import { refusedDocuments, variedDocuments } from '../model/varied-documents.ts';
import { hasBrowser } from '../support/browser.ts';
import {
  corpusDocuments,
  hasCorpus,
  type NamedDocument,
  needsCorpus,
  refusalInCorpus,
} from '../support/corpus.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { dot, paragraphs, viewShown } from './view-page.ts';

/** What Google Docs puts there. */
const fromGoogle = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-7"><p dir="ltr"><span style="font-size:11pt;font-family:Arial,sans-serif;color:#000000;background-color:transparent;font-weight:400">Plain </span><span style="font-weight:700;text-decoration:underline">strong</span></p><ul><li dir="ltr" style="list-style-type:disc" aria-level="1"><p dir="ltr"><span>one</span></p></li><ul><li dir="ltr" aria-level="2"><p dir="ltr"><span>nested</span></p></li></ul></ul><br /><p dir="ltr"><span>after</span></p></b><br class="Apple-interchange-newline">`;

describe.skipIf(!hasBrowser)('the view of the word editor', () => {
  const { show } = viewShown();

  it('[VW21] HTML of Google Docs: what is not bold is not, lists beside items are nested', async () => {
    const shown = await show(buildDocx({ paragraphs: [''] }));
    await shown.paste({ 'text/html': fromGoogle });
    const blocks = await shown.blocks();
    expect(paragraphs(blocks)).toMatchObject([
      { text: 'Plain strong' },
      { text: 'one', level: 0 },
      { text: 'nested', level: 1 },
      { text: '' },
      { text: 'after' },
    ]);
    expect(blocks[0]!.runs['Plain ']).toEqual(['size 22', 'font Arial']);
    expect(blocks[0]!.runs.strong).toEqual(['bold', 'underline single']);
  });

  it('[VW22] a picture that HTML holds itself is uploaded', async () => {
    const shown = await show(buildDocx({ paragraphs: ['Start: '] }));
    await shown.paste({ 'text/html': `<p>see</p><p><img src="data:image/png;base64,${dot}"></p>` });
    const blocks = await eventually(
      () => shown.blocks(),
      (found) => found.some(({ text }) => text.includes('<image>')),
    );
    expect(blocks.map(({ text }) => text)).toEqual(['Start: see', '<image>']);
  });

  it('[EW42] pictures of pasted HTML stand where they stand there, in their size', async () => {
    const shown = await show(buildDocx({ paragraphs: ['Start: '] }));
    const src = `src="data:image/png;base64,${dot}"`;
    await shown.paste({
      'text/html': `<p>one <img ${src} width="40" height="20"> two <img ${src} style="width: 30pt"></p><p><img ${src} style="width:50%" alt="Half"></p><p>end</p>`,
    });
    const blocks = await eventually(
      () => shown.blocks(),
      (found) =>
        found
          .map(({ text }) => text)
          .join()
          .split('<image>').length === 4,
    );
    expect(blocks.map(({ text }) => text)).toEqual(['Start: one <image> two <image>', '<image>', 'end']);
    const sizes = await shown.page.locator('.picture-shown').evaluateAll((all) =>
      all.map((one) => {
        const { width, height } = one.getBoundingClientRect();
        return [Math.round(width), Math.round(height)];
      }),
    );
    const column = await shown.page
      .locator('.ProseMirror')
      .evaluate((one) => one.getBoundingClientRect().width);
    expect(sizes.slice(0, 2)).toEqual([
      [40, 20],
      [40, 40],
    ]);
    expect(Math.abs(sizes[2]![0]! - column / 2)).toBeLessThan(3);
    expect(shown.problems).toEqual([]);
  });

  it('[EW43] an empty paragraph becomes the heading, item or quotation that is pasted into it', async () => {
    for (const [html, attrs] of [
      ['<h1>Title</h1><p>text</p>', { style: 'Heading1' }],
      ['<h1>Title</h1>', { style: 'Heading1' }],
      ['<ul><li>item</li></ul><p>text</p>', { listId: expect.stringMatching(/^new-bullet-/), listLevel: 0 }],
      ['<blockquote><p>said</p></blockquote><p>text</p>', { indentLeft: 720 }],
    ] as const) {
      const shown = await show(buildDocx({ body: '<w:p><w:r><w:t>before</w:t></w:r></w:p><w:p/>' }));
      await shown.paste({ 'text/html': html });
      const blocks = await shown.blocks();
      expect(blocks[0]).toMatchObject({ text: 'before', attrs: {} });
      expect(blocks[1]).toMatchObject({ attrs });
      expect(blocks[2]?.attrs ?? {}).toEqual({});
      expect(shown.problems).toEqual([]);
    }
  });

  it('[EW44] a form’s control that is pressed stays when one types', async () => {
    const control = (properties: string, text: string) =>
      `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent><w:r><w:t>${text}</w:t></w:r></w:sdtContent></w:sdt>`;
    const field = `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="Check1"/><w:enabled/><w:checkBox><w:sizeAuto/><w:default w:val="0"/></w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText xml:space="preserve"> FORMCHECKBOX </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>LEGACY</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;
    const shown = await show(
      buildDocx({
        body: `<w:p><w:r><w:t xml:space="preserve">a </w:t></w:r>${control('<w:dropDownList><w:listItem w:displayText="CHOICE" w:value="1"/></w:dropDownList>', 'CHOICE')}<w:r><w:t xml:space="preserve"> b </w:t></w:r><w:fldSimple w:instr=" FORMTEXT "><w:r><w:t>SIMPLE</w:t></w:r></w:fldSimple><w:r><w:t xml:space="preserve"> c </w:t></w:r>${field}<w:r><w:t xml:space="preserve"> d</w:t></w:r></w:p>`,
      }),
    );
    for (const text of ['CHOICE', 'SIMPLE', 'LEGACY']) {
      const { x, y } = await shown.page.evaluate((wanted) => {
        const walker = document.createTreeWalker(
          document.querySelector('.ProseMirror')!,
          NodeFilter.SHOW_TEXT,
        );
        while (walker.nextNode() && !walker.currentNode.nodeValue?.includes(wanted));
        const range = document.createRange();
        range.selectNode(walker.currentNode);
        const { left, width, top, height } = range.getBoundingClientRect();
        return { x: left + width * 0.7, y: top + height / 2 };
      }, text);
      await shown.page.mouse.click(x, y);
      await shown.page.keyboard.type('x');
    }
    const text = (await shown.page.locator('.ProseMirror').textContent()) ?? '';
    const kept = text.replaceAll('x', '');
    for (const one of ['CHOICE', 'SIMPLE', 'LEGACY']) expect(kept).toContain(one);
    expect(text.split('x')).toHaveLength(4);
    expect(shown.problems).toEqual([]);
  });

  it('[VW29] nothing is copied where that is forbidden', async () => {
    const shown = await show(buildDocx({ paragraphs: ['secret'] }), { role: { canCopy: false } });
    expect(await shown.copyAll()).toEqual({});
  });

  it('[VW33] documents of many kinds are shown without an error', async () => {
    await showAll(variedDocuments, []);
    await showAll(
      refusedDocuments.map(([name, bytes]) => [name, bytes]),
      refusedDocuments.map(([name]) => name),
    );
  }, 240_000);

  it.skipIf(!hasCorpus)(
    `[VW33] the same ${needsCorpus}`,
    () => {
      const documents = corpusDocuments();
      const refused = documents.filter((one) => refusalInCorpus(one) !== undefined);
      return showAll(
        documents,
        refused.map(([name]) => name),
      );
    },
    240_000,
  );

  /** Shows one after the other; the reader refuses those that are named. */
  async function showAll(documents: readonly NamedDocument[], refused: readonly string[]): Promise<void> {
    const shown = await show(buildDocx());
    for (const [name, bytes] of documents) {
      const error = await shown.show(bytes).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      expect(error instanceof ConversionError, `${name}: ${error}`).toBe(refused.includes(name));
      expect(shown.problems, name).toEqual([]);
    }
  }
});
