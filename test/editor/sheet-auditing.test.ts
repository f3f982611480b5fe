import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { newName } from '../support/new-name.ts';
import { buildXlsx } from '../support/xlsx-fixture.ts';
import { type EditorPage, EditorWorld } from './editor-world.ts';
import { goTo, selected, shows } from './sheet-page.ts';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The workbook with a pivot table at G2:H4. */
function withPivot(bytes: Uint8Array): Uint8Array {
  const parts = unzipSync(bytes);
  const types = '[Content_Types].xml';
  const part = 'xl/pivotTables/pivotTable1.xml';
  const override = `<Override PartName="/${part}" ContentType="${TYPES}.pivotTable+xml"/></Types>`;
  const relations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/pivotTable" Target="../pivotTables/pivotTable1.xml"/></Relationships>`;
  const pivot = `<pivotTableDefinition xmlns="${SHEET}" name="Pivot" cacheId="1" dataCaption="Values"><location ref="G2:H4" firstHeaderRow="1" firstDataRow="1" firstDataCol="1"/></pivotTableDefinition>`;
  return zipSync({
    ...parts,
    [types]: strToU8(strFromU8(parts[types]!).replace('</Types>', override)),
    'xl/worksheets/_rels/sheet1.xml.rels': strToU8(relations),
    [part]: strToU8(pivot),
  });
}

describe.skipIf(!hasBrowser)('keys for formulas, names, lists and what is hidden', () => {
  let world: EditorWorld;
  let ann: EditorPage;
  beforeAll(async () => {
    world = await EditorWorld.open();
    const bytes = buildXlsx([
      ['Item', 'Price', 'Count', 'Sum'],
      ['Nails', 1, 4, '=B2*C2'],
      ['Glue', 2, 1, '=B3*C3'],
      ['Nuts', 7, 2, '=B4*C4'],
      ['Total', 0, 0, '=SUM(D2:D4)'],
    ]);
    const sourceUrl = world.world.integrator.serve('auditing.xlsx', { bytes: withPivot(bytes) });
    ann = await world.visit({ key: newName('sheet'), user: 'ann', sourceUrl, documentType: 'cell' });
  });
  afterAll(() => world?.close());

  const press = async (...keys: string[]) => {
    for (const key of keys) await ann.page.keyboard.press(key);
  };
  const dialog = (name: string) => ann.frame.getByRole('dialog', { name });

  it('[XS220] [XS222] lead to what a formula reads and to its readers, and show formulas in place of values', async () => {
    await shows(ann, 'D5', '20');
    await goTo(ann, 'D5');
    await press('Control+[');
    await selected(ann, 'D2:D4');
    await press('Control+]');
    await selected(ann, 'D5');
    await goTo(ann, 'B3');
    await press('Control+]');
    await selected(ann, 'D3');
    await goTo(ann, 'A1');
    await press('Control+[');
    await ann.showsNotice(/^No formula in what is selected reads cells/);
    await press('Control+]');
    await ann.showsNotice(/^No formula in this workbook reads what is selected/);
    await press('Control+`');
    await shows(ann, 'D2', '=B2*C2');
    await press('Control+`');
    await shows(ann, 'D2', '4');
    await press('Control+/');
    await dialog('Keyboard shortcuts').getByText('Ctrl+[').waitFor();
    await press('Escape');
    await dialog('Keyboard shortcuts').waitFor({ state: 'detached' });
    expect(ann.problems).toEqual([]);
  });

  it('[XS221] [XS224] leave hidden rows alone, and give a list the buttons of a filter', async () => {
    await goTo(ann, 'F3');
    await press('Control+9');
    await goTo(ann, 'F1:F4');
    await ann.page.keyboard.type('all');
    await press('Control+Enter');
    await shows(ann, 'F4', 'all');
    await goTo(ann, 'F1:F4');
    await press('Alt+;');
    await selected(ann, 'F1:F2');
    await press('Delete');
    await shows(ann, 'F4', '');
    await goTo(ann, 'F1:F4');
    await press('Control+Shift+Digit9');
    await shows(ann, 'F3', 'all');
    await goTo(ann, 'A1');
    await press('Control+Shift+l');
    await ann.frame.locator('.format-toolbar [aria-label="Filter"][aria-pressed="true"]').waitFor();
    await press('Alt+ArrowDown');
    await dialog('Filter').waitFor();
    await press('Escape');
    await dialog('Filter').waitFor({ state: 'detached' });
    expect(ann.problems).toEqual([]);
  });

  it('[XS223] open the names, and put one into the formula that is typed', async () => {
    await goTo(ann, 'B2:B4');
    await goTo(ann, 'Prices');
    await ann.showsNotice(/^Prices stands for B2:B4/);
    await press('Control+F3');
    await dialog('Names').getByText('Prices').first().waitFor();
    await press('Escape');
    await dialog('Names').waitFor({ state: 'detached' });
    const typedIn = () => ann.frame.locator('.cell-input').inputValue();
    await goTo(ann, 'E7');
    await ann.page.keyboard.type('=SUM(');
    await press('F3');
    await dialog('Insert name').waitFor();
    await press('Enter');
    await expect.poll(typedIn).toBe('=SUM(Prices');
    await press('Enter');
    await shows(ann, 'E7', '10');
    await press('F3');
    await dialog('Insert name').waitFor();
    await press('Enter');
    await expect.poll(typedIn).toBe('=Prices');
    await press('Escape');
    expect(ann.problems).toEqual([]);
  });

  it('[XS219] say that what is pasted into a pivot table goes, and put no row through it', async () => {
    await goTo(ann, 'A3');
    await press('Control+c');
    await goTo(ann, 'G3');
    await press('Control+v');
    await ann.showsNotice(/^Cells of a pivot table have changed/);
    await shows(ann, 'G3', 'Glue');
    // What is framed would come in instead of a row.
    await press('Escape');
    await goTo(ann, 'A3');
    await press('Control+Alt+=');
    await ann.showsNotice(/^A part of a pivot table cannot be moved/);
    await shows(ann, 'A3', 'Glue');
    await goTo(ann, 'A2');
    await press('Control+Alt+=');
    await shows(ann, 'A3', 'Nails');
    await shows(ann, 'G4', 'Glue');
    expect(ann.problems).toEqual([]);
  });
});
