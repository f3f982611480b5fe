import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { ExampleScene } from './example-scene.ts';
import { ExampleVisitor, type OpenedExample, type PersonName } from './example-visitor.ts';
import { exampleDirectory, installedExamples } from './integration-example.ts';

/** The one example that has a WOPI page. */
const name = 'nodejs';
const canRun = hasBrowser && installedExamples.includes(name);
const patience = { timeout: 60_000 };
const samples = path.join('public/assets/document-templates/sample');

describe.skipIf(!canRun)('the WOPI page of an integration example', () => {
  let scene: ExampleScene;

  beforeAll(async () => {
    const port = await freePort();
    const wopi = { WOPI_ENABLED: 'true', WOPI_HOSTS: `http://localhost:${port}/wopi` };
    scene = await ExampleScene.open(name, wopi, port);
  });
  afterAll(() => scene?.close());

  const visitor = (person: PersonName) =>
    ExampleVisitor.come(scene.browser, `${scene.example.address}/wopi`, person, true);

  /** The file as the example has it now. */
  async function stored(by: ExampleVisitor, file: string): Promise<Uint8Array> {
    const list = await by.list();
    const address = `${scene.example.address}/download?fileName=${encodeURIComponent(file)}`;
    const bytes = await list.evaluate(
      async (from) => [...new Uint8Array(await (await fetch(from)).arrayBuffer())],
      address,
    );
    return new Uint8Array(bytes);
  }
  /** Whom the editor is told to be for. */
  const nameIn = async ({ page }: OpenedExample) => {
    const config = page.frameLocator('iframe >> nth=0').locator('#configJsonData');
    return JSON.parse((await config.getAttribute('data-json'))!).editorConfig.user.name;
  };
  const partOf = (file: Uint8Array, part: string) => strFromU8(unzipSync(file)[part]!);
  const newest = async (list: Awaited<ReturnType<ExampleVisitor['list']>>) =>
    (await list.locator('tr.tableRow a.stored-edit span').first().textContent())!.trim();

  it('[IE18] a text is made, two people write in it by their names, and it is put back', async () => {
    const [john, mark] = [await visitor('john'), await visitor('mark')];
    const first = await john.create();
    const file = await newest(await john.list());
    expect(file).toMatch(/\.docx$/);
    const second = await mark.open(file);
    expect([await nameIn(first), await nameIn(second)]).toEqual(['John Smith', 'Mark Pottato']);
    await first.write('Written by John. ');
    await second.shows('Written by John. ');
    await second.write('And by Mark.');
    await first.shows('And by Mark.');
    await Promise.all([first.saved(), second.saved()]);
    await first.page.close();
    await second.page.close();
    await eventually(async () => {
      const xml = partOf(await stored(john, file), 'word/document.xml');
      expect(xml.replace(/<[^>]+>/g, '')).toContain('Written by John. And by Mark.');
    });
    const again = await john.open(file);
    await again.shows('Written by John. And by Mark.');
    await again.page.close();
  });

  it('[IE18] a spreadsheet is made, two people write in it, and it is put back', async () => {
    const [john, mark] = [await visitor('john'), await visitor('mark')];
    const first = await john.create('cell');
    const file = await newest(await john.list());
    const second = await mark.open(file);
    await first.put('B2', '41');
    await second.put('B4', '=B2+1');
    await first.cellShows('B4', '42');
    await Promise.all([first.saved(), second.saved()]);
    await first.page.close();
    await second.page.close();
    await eventually(async () =>
      expect(partOf(await stored(john, file), 'xl/worksheets/sheet1.xml')).toContain('<f>B2+1</f>'),
    );
  });

  it.for(['docx', 'xlsx', 'pptx', 'pdf'])('[IE18] the sample %s is uploaded and opened', async (type) => {
    const john = await visitor('john');
    const bytes = await readFile(path.join(exampleDirectory(name), samples, `sample.${type}`));
    await john.upload(`our-sample.${type}`, bytes);
    const opened = await john.open(`our-sample.${type}`);
    if (type === 'docx') await opened.write('Written into the sample.');
    if (type === 'xlsx') await opened.put('AA1', '4711');
    if (type === 'docx' || type === 'xlsx') await opened.saved();
    else await opened.pages.first().waitFor(patience);
    await opened.page.close();
    const change = { docx: 'Written into the sample.', xlsx: '<v>4711</v>' }[type];
    await eventually(async () => {
      const now = await stored(john, `our-sample.${type}`);
      if (change === undefined) expect(Buffer.compare(now, bytes)).toBe(0);
      else
        expect(
          Object.values(unzipSync(now))
            .map((part) => strFromU8(part))
            .join(''),
        ).toContain(change);
    });
  });
});
