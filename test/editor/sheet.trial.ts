import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { linkingOne } from '../support/linking-workbook.ts';
import { newName } from '../support/new-name.ts';
import { buildWorkbook } from '../support/workbook-fixture.ts';
import { buildXlsx } from '../support/xlsx-fixture.ts';
import { violations } from './axe.ts';
import { type EditorPage, EditorWorld } from './editor-world.ts';
import { delivered, fetchWorkbook, goTo, selected, shows } from './sheet-page.ts';

describe.skipIf(!hasBrowser)('a spreadsheet in the editor', () => {
  let world: EditorWorld;
  let sourceUrl: string;
  beforeAll(async () => {
    world = await EditorWorld.open();
    const bytes = buildXlsx([
      ['Item', 'Price', 'Count'],
      ['Nails', 3.5, 4],
      ['Glue', 2, 1],
    ]);
    sourceUrl = world.world.integrator.serve('sheet.xlsx', { bytes });
  });
  afterAll(() => world?.close());

  it('[XS40] tells the embedding page of changes, gives it copies and links, and opens where a link leads', async () => {
    const key = newName('sheet');
    const editorConfig = { customization: { zoom: 150 } };
    const visited = { key, sourceUrl, documentType: 'cell', editorConfig } as const;
    const ann = await world.visit({ ...visited, user: 'ann', events: ['onMakeActionLink'] });
    const zoomOf = ({ frame }: EditorPage) => frame.getByRole('combobox', { name: 'Zoom' }).inputValue();
    expect(await zoomOf(ann)).toBe('1.5');
    await goTo(ann, 'B2:B3');
    await ann.choose('Insert', 'Copy link to this place');
    const { data } = await ann.event('onMakeActionLink');
    expect(data).toEqual({ action: { type: 'bookmark', data: 'Sheet1!B2:B3' } });
    await ann.page.keyboard.type('5');
    await ann.page.keyboard.press('Enter');
    await ann.saved();
    const states = async () =>
      (await ann.events()).filter(({ name }) => name === 'onDocumentStateChange').map((event) => event.data);
    await eventually(states, (all) => all.at(-1) === false && all.includes(true));
    await ann.call('downloadAs', 'xlsx');
    const { url } = (await ann.event('onDownloadAs')).data as { url: string };
    const copy = await fetchWorkbook(url);
    expect(copy.sheets[0]!.grid.cell(1, 1).value).toBe(5);
    const bob = await world.visit({ ...visited, user: 'bob', editorConfig: { actionLink: data } });
    await selected(bob, 'B2:B3');
    expect([...ann.problems, ...bob.problems]).toEqual([]);
    for (const { page } of [ann, bob]) await page.close();
  });

  it('[LB9] takes values of another workbook from the file that the embedding page names, for everybody and for the file', async () => {
    const { integrator } = world.world;
    const key = newName('sheet');
    const linked = buildWorkbook(linkingOne);
    const visited = {
      ...{ key, documentType: 'cell', sourceUrl: integrator.serve(`${key}.xlsx`, { bytes: linked }) },
      events: ['onRequestReferenceData'],
    } as const;
    const ann = await world.visit({ ...visited, user: 'ann' });
    const bob = await world.visit({ ...visited, user: 'bob' });
    await shows(ann, 'A1', '20');
    const requests: string[] = [];
    ann.page.on('request', (request) => requests.push(request.url()));
    await ann.choose('Data', 'Links to other workbooks');
    const dialog = ann.frame.getByRole('dialog');
    let asked = 0;
    const update = async (file: object) => {
      asked += 1;
      await dialog.getByRole('button', { name: 'Update', exact: true }).click();
      await eventually(
        async () => (await ann.events()).filter(({ name }) => name === 'onRequestReferenceData').length,
        (count) => count === asked,
      );
      await ann.call('setReferenceData', file);
    };
    const sheets = [{ name: 'Rates', rows: '<row r="1"><c r="A1"><v>7</v></c></row>' }];
    const rates = { bytes: buildWorkbook({ sheets }) };
    const file = { fileType: 'xlsx', path: 'Rates.xlsx', url: integrator.serve(`${key}-rates.xlsx`, rates) };
    await update({ error: 'You may not see Rates.' });
    await dialog.getByText('You may not see Rates.').waitFor();
    await update(file);
    await dialog.getByText(/token/i).waitFor();
    expect((await ann.event('onRequestReferenceData')).data).toEqual({ path: 'Rates.xlsx' });
    await update({ ...file, token: await world.world.sign(file) });
    await dialog.getByText('Updated').waitFor();
    expect(await violations(ann.frame)).toEqual([]);
    await shows(ann, 'A1', '14');
    await shows(bob, 'A1', '14');
    expect(requests.filter((url) => url.includes('rates'))).toEqual([]);
    expect([...ann.problems, ...bob.problems]).toEqual([]);
    await dialog.getByRole('button', { name: 'Break link' }).click();
    await dialog.getByRole('button', { name: 'Break link' }).click();
    await dialog.getByText('Formulas of this workbook read no other one.').waitFor();
    await ann.page.keyboard.press('Escape');
    await shows(bob, 'A1', '14');
    const workbook = await delivered(world, key, ann, bob);
    expect(workbook.items).toEqual({});
    expect(workbook.sheets[0]!.grid.cell(0, 0)).toMatchObject({ value: 14, formula: null });
  });
});
