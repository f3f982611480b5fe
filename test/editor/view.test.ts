import { describe, expect, it } from 'vitest';
import { ofTwoPages, withHeaderAndNotes } from '../model/varied-documents.ts';
import { hasBrowser } from '../support/browser.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { dot, paragraphs, viewShown } from './view-page.ts';

/** What Word puts on the clipboard, shortened to what matters. */
const fromWord = `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word">
<head><meta name=Generator content="Microsoft Word 15"><style><!-- p.MsoNormal {margin:0cm;} --></style>
<!--[if gte mso 9]><xml><w:WordDocument><w:View>Normal</w:View></w:WordDocument></xml><![endif]--></head>
<body lang=EN-GB><!--StartFragment--><p class=MsoNormal>Intro<o:p></o:p></p>
<h1>Report<o:p></o:p></h1>
<p class=MsoNormal align=center style='text-align:center'><b><span style='font-size:14.0pt;font-family:"Times New Roman",serif;color:#C00000'>Red bold</span></b> plain<o:p></o:p></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol;mso-fareast-font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>Bullet<o:p></o:p></p>
<p class=MsoListParagraphCxSpMiddle style='margin-left:72.0pt;text-indent:-18.0pt;mso-list:l0 level2 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>o<span>&nbsp;&nbsp; </span></span><![endif]>Deeper<o:p></o:p></p>
<p class=MsoListParagraphCxSpLast style='text-indent:-18.0pt;mso-list:l1 level1 lfo2'><![if !supportLists]><span style='mso-list:Ignore'>1.<span>&nbsp;&nbsp; </span></span><![endif]>Numbered<o:p></o:p></p>
<p class=MsoNormal><o:p>&nbsp;</o:p></p>
<p class=MsoNormal>a<span style='mso-tab-count:1'>      </span>b<br clear=all style='page-break-before:always'></p>
<table class=MsoTableGrid border=1 style='border-collapse:collapse'><thead><tr><td width=200 colspan=2 style='width:150.0pt;background:#D9E2F3'><p class=MsoNormal>Head</p></td></tr></thead>
<tr><td width=100 style='width:75.0pt'><p class=MsoNormal>x</p></td><td width=100 style='width:75.0pt'></td></tr></table>
<p class=MsoNormal>End<o:p></o:p></p><!--EndFragment--></body></html>`;

describe.skipIf(!hasBrowser)('the view of the word editor', () => {
  const { show } = viewShown();

  it('[VW21] HTML of Word: headings by name, lists from paragraphs, tabs, page breaks, tables, nothing of Word’s own', async () => {
    const shown = await show(buildDocx({ paragraphs: ['Start: '] }));
    await shown.paste({ 'text/html': fromWord });
    const blocks = await shown.blocks();
    expect(blocks.map(({ type, text }) => `${type} ${text}`)).toEqual([
      'paragraph Start: Intro',
      'paragraph Report',
      'paragraph Red bold plain',
      'paragraph Bullet',
      'paragraph Deeper',
      'paragraph Numbered',
      'paragraph ',
      'paragraph a<tab>b<line_break>',
      'table Head|x|',
      'paragraph End',
    ]);
    expect(blocks[1]!.attrs.style).toBe('Heading1');
    expect(blocks[2]!.attrs.align).toBe('center');
    expect(blocks[2]!.runs['Red bold']).toEqual(['bold', 'size 28', 'font Times New Roman', 'color C00000']);
    const [bullet, deeper, numbered] = paragraphs(blocks.slice(3, 6));
    expect(bullet).toMatchObject({ list: expect.stringMatching(/^new-bullet-/), level: 0 });
    expect(deeper).toMatchObject({ list: bullet!.list, level: 1 });
    expect(numbered).toMatchObject({ list: expect.stringMatching(/^new-decimal-/), level: 0 });
    expect(shown.problems).toEqual([]);
  });

  it('[VW22] HTML of the web: nested lists, safe links, code, colours; nothing that runs or loads', async () => {
    const shown = await show(buildDocx({ paragraphs: ['Start: '] }));
    await shown.paste({
      'text/html': `<p>x</p><style>p{margin:1px}</style><script>window.ran = true</script>
        <ol type="i"><li>first<ul><li><p>sub</p><p>more</p></li></ul></li><li>second</li></ol>
        <div style="background:#eee"><p>go <a href="https://example.org/x">here</a> or <a href="javascript:alert(1)">there</a></p></div>
        <pre><code>if (a) {\n  b\u0007();\n}</code></pre>
        <p><span style="background-color: rgb(255, 255, 0)">lit</span><img src="https://example.org/spy.png" alt="A cat" onerror="window.ran = true"></p>`,
    });
    const blocks = await shown.blocks();
    expect(paragraphs(blocks)).toMatchObject([
      { text: 'Start: x' },
      { text: 'first', list: expect.stringMatching(/^new-roman-/), level: 0 },
      { text: 'sub', list: expect.stringMatching(/^new-bullet-/), level: 1 },
      { text: 'more' },
      { text: 'second', level: 0 },
      { text: 'go here or there' },
      { text: 'if (a) {<line_break>\u00a0\u00a0b();<line_break>}' },
      { text: 'lit[A cat]' },
    ]);
    expect(blocks[5]!.runs).toEqual({ here: ['link https://example.org/x'] });
    expect(blocks[7]!.runs.lit).toEqual(['highlight yellow']);
    expect(await shown.page.evaluate(() => 'ran' in globalThis)).toBe(false);
    expect(shown.problems).toEqual([]);
  });

  it('[VW28] what is copied is HTML that other programs understand, text, and the model itself', async () => {
    const shown = await show(buildDocx({ paragraphs: [''] }));
    await shown.paste({ 'text/html': fromWord });
    const before = await shown.blocks();
    const copied = await shown.copyAll();
    expect(Object.keys(copied)).toEqual(['text/html', 'text/plain', 'application/vnd.quire.word+json']);
    const html = copied['text/html']!;
    expect(html).toMatch(/<h1 [^>]*font-size: 16pt[^>]*>Report<\/h1>/);
    expect(html).toMatch(
      /<ul><li><p[^>]*>Bullet<\/p><ul><li><p[^>]*>Deeper<\/p><\/li><\/ul><\/li><\/ul><ol><li><p[^>]*>Numbered/,
    );
    expect(html).toMatch(/<b [^>]*>.*color: rgb\(192, 0, 0\).*Red bold/);
    expect(html).not.toMatch(/var\(|light-dark|--|class=/);
    expect(copied['text/plain']).toBe(
      'Intro\nReport\nRed bold plain\nBullet\nDeeper\nNumbered\n\na\tb\n\nHead\nx\t\nEnd',
    );
    const other = await show(buildDocx({ paragraphs: [''] }));
    await other.paste(copied);
    const anew = await other.blocks();
    expect(anew.map(({ type, text, runs }) => ({ type, text, runs }))).toEqual(
      before.map(({ type, text, runs }) => ({ type, text, runs })),
    );
    expect(other.problems).toEqual([]);
  });

  it('[VW30] header, footer and notes stand on the paper and cannot be edited', async () => {
    const { page, problems } = await show(withHeaderAndNotes);
    expect(await page.locator('.page-header').textContent()).toContain('Words of the header');
    expect(await page.locator('.page-footer').textContent()).toContain('Page 1');
    expect(await page.locator('.notes-footnote li').textContent()).toContain('Words of the footnote');
    expect(await page.locator('.notes-endnote li').textContent()).toContain('Words of the endnote');
    expect(
      await page.locator('.page-part [contenteditable=true], .notes [contenteditable=true]').count(),
    ).toBe(0);
    expect(await page.locator('.opaque-note').first().getAttribute('data-number')).toBe('1');
    await page.locator('.opaque-note').first().click();
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('note-back');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.opaque-note.ProseMirror-selectednode').count()).toBe(1);
    expect(problems).toEqual([]);
  });

  it('[VW31] the caret passes bookmarks, and typing goes where it is', async () => {
    const bookmark = '<w:bookmarkStart w:id="1" w:name="b"/><w:bookmarkEnd w:id="1"/>';
    const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`;
    const body = `<w:p>${bookmark}${run('ab')}${bookmark}${run('cd')}</w:p>`;
    const shown = await show(buildDocx({ body }));
    await shown.page.locator('.ProseMirror').click();
    const keys = ['Control+Home', '1', 'ArrowRight', 'ArrowRight', 'ArrowRight', '2', 'Control+End', '3'];
    for (const key of keys) {
      await shown.page.keyboard.press(key);
      // The browser tells of a moved caret later than it moves it.
      await shown.page.evaluate(
        () => new Promise((told) => requestAnimationFrame(() => requestAnimationFrame(told))),
      );
    }
    const [block] = await shown.blocks();
    expect(block!.text.replaceAll('<anchor>', '')).toBe('1abc2d3');
  });

  it('[VW26] paper has header and footer on each page and breaks where the document has them', async () => {
    const { page } = await show(ofTwoPages);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.page-header').evaluate((element) => getComputedStyle(element).display)).toBe(
      'table-header-group',
    );
    const pdf = await page.pdf({ preferCSSPageSize: true });
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(2);
  });

  it('[VW32] a picture is resized with the keyboard and by its handles, in a zoomed page too', async () => {
    const shown = await show(buildDocx({ paragraphs: [''] }));
    await shown.paste({ 'text/html': `<p>a</p><p><img src="data:image/png;base64,${dot}"></p>` });
    const { page } = shown;
    await page.locator('.picture-frame img').click();
    const width = async () => (await page.locator('.picture-frame').boundingBox())!.width;
    const first = await width();
    await page.keyboard.press('Alt+Shift+ArrowRight');
    expect(await width()).toBeGreaterThan(first + 8);
    await expect.poll(() => page.locator('.picture-handle').count()).toBe(4);
    await page.evaluate(() => {
      (globalThis as unknown as { quire: { editor: { zoom: { value: number } } } }).quire.editor.zoom.value =
        2;
    });
    const before = await width();
    const handle = (await page.locator('.picture-handle-end.picture-handle-bottom').boundingBox())!;
    await page.mouse.move(handle.x + 5, handle.y + 5);
    await page.mouse.down();
    await page.mouse.move(handle.x + 65, handle.y + 20, { steps: 3 });
    await page.mouse.up();
    expect(Math.round((await width()) - before)).toBe(60);
    expect(shown.problems).toEqual([]);
  });
});
