import { describe, expect, test } from 'vitest';
import type { Item } from '../../../../model/cell/items.ts';
import type { CellOperation } from '../../../../model/cell/operations.ts';
import { itemsOf } from '../../../../model/cell/workbook.ts';
import { buildWorkbook } from '../../../../test/support/workbook-fixture.ts';
import { edit, inFile, opened } from './testing/xlsx-edit.ts';

const points = ['0', '33', '67'].map((value) => ({ type: 'percent', value }));

const icons = (set: string, areas: readonly (readonly number[])[] = [[0, 0, 8, 0]]): Item =>
  ({ areas, type: 'iconSet', priority: 3, formulas: [], icons: set, points }) as unknown as Item;

const put = (id: string, item: Item): CellOperation => ({
  op: 'put',
  sheet: 's1',
  kind: 'condition',
  id,
  item,
});
const drop = (id: string): CellOperation => ({ op: 'drop', sheet: 's1', kind: 'condition', id });

const X14 = 'http://schemas.microsoft.com/office/spreadsheetml/2009/9/main';
const XM = 'http://schemas.microsoft.com/office/excel/2006/main';

/** A sheet with a rule of the first version and one of a later. */
const both = {
  sheets: [
    {
      after:
        '<conditionalFormatting sqref="A1:A9"><cfRule type="iconSet" priority="1"><iconSet iconSet="3Arrows"><cfvo type="percent" val="0"/><cfvo type="percent" val="33"/><cfvo type="percent" val="67"/></iconSet></cfRule></conditionalFormatting>' +
        `<extLst><ext uri="{78C0D931-6437-407d-A8EE-F0AAD7539E65}" xmlns:x14="${X14}"><x14:conditionalFormattings><x14:conditionalFormatting xmlns:xm="${XM}"><x14:cfRule type="iconSet" priority="2" id="{A}"><x14:iconSet iconSet="5Boxes" showValue="0" reverse="1"><x14:cfvo type="percent"><xm:f>0</xm:f></x14:cfvo><x14:cfvo type="num" gte="0"><xm:f>20</xm:f></x14:cfvo></x14:iconSet></x14:cfRule><xm:sqref>B1:B9</xm:sqref></x14:conditionalFormatting></x14:conditionalFormattings></ext></extLst>`,
    },
  ],
};

const plainForm =
  /<conditionalFormatting [^>]*><cfRule type="iconSet"[^>]*><iconSet iconSet="(?:3Stars|5Boxes)"/;

describe('[XS145] icons of later versions', () => {
  test('are read with what they ask for', () => {
    const [sheet] = opened(buildWorkbook(both)).sheets;
    expect(itemsOf(sheet!, 'condition').get('cx1')).toMatchObject({
      ...{ icons: '5Boxes', reversed: true, showsValue: false },
      points: [
        { type: 'percent', value: '0' },
        { type: 'num', value: '20', inclusive: false },
      ],
    });
  });

  test('stand in the extension of the sheet, which is made where there is none', () => {
    const { reopened, expected, xml } = edit({ sheets: [{}] }, [put('c.1', icons('3Stars'))]);
    expect(inFile(reopened)).toEqual(inFile(expected));
    expect(xml).toMatch(/<extLst><ext uri="\{78C0D931[^>]*xmlns:x14=/);
    expect(xml).not.toMatch(plainForm);
  });

  test('come to those that are there, also while these go', () => {
    for (const before of [[], [drop('cx1')]]) {
      const { reopened, expected, xml } = edit(both, [
        ...before,
        put('c.1', icons('3Triangles', [[0, 3, 4, 3]])),
      ]);
      expect(inFile(reopened)).toEqual(inFile(expected));
      expect(xml.match(/<extLst>/g)).toHaveLength(1);
    }
  });

  test('take the place of others, and others take theirs', () => {
    const { reopened, expected, xml } = edit(both, [put('c1', icons('3Stars')), put('cx1', icons('3Flags'))]);
    const sets = ({ sheets }: typeof expected) =>
      [...itemsOf(sheets[0]!, 'condition').values()].map((item) => item.icons).toSorted();
    expect(sets(reopened)).toEqual(sets(expected));
    expect(xml).not.toMatch(plainForm);
    expect(xml).not.toContain('<conditionalFormatting');
  });
});

test('[XS181] icons that are chosen one by one are read, kept and written', () => {
  const chosen = points.map((point, at) => ({
    ...point,
    ...(at !== 1 && { icon: at === 0 ? ['NoIcons', 0] : ['3Stars', 2] }),
  }));
  const item = { ...(icons('3Flags') as object), points: chosen } as unknown as Item;
  const { reopened, expected, xml } = edit(both, [put('c1', item)]);
  expect(xml).toContain(
    '<x14:cfIcon iconSet="NoIcons" iconId="0"/><x14:cfIcon iconSet="3Flags" iconId="1"/><x14:cfIcon iconSet="3Stars" iconId="2"/>',
  );
  const rules = ({ sheets }: typeof expected) => [...itemsOf(sheets[0]!, 'condition').values()];
  const found = rules(reopened).find(({ icons: set }) => set === '3Flags');
  expect(found?.points?.map(({ icon }) => icon)).toEqual([
    ['NoIcons', 0],
    ['3Flags', 1],
    ['3Stars', 2],
  ]);
  expect(rules(reopened)).toHaveLength(2);
});

describe('[XS146] bars of numbers', () => {
  const bar = put('c.1', {
    ...{ areas: [[0, 0, 8, 0]], type: 'dataBar', priority: 1, formulas: [] },
    ...{ points: [{ type: 'min' }, { type: 'num', value: '9' }], color: { rgb: '638EC6' } },
  } as unknown as Item);
  const number = (v: number): CellOperation => ({ op: 'set', sheet: 's1', cells: [[1, 0, { v }]] });

  test('less than nothing have their looks in an extension, in red and from a line on', () => {
    const { reopened, expected, xml } = edit({ sheets: [{}] }, [number(-2), bar]);
    expect(inFile(reopened)).toEqual(inFile(expected));
    const [, id] = /<x14:id>(\{[^<]*\})<\/x14:id>/.exec(xml)!;
    expect(xml).toContain(
      `<x14:cfRule type="dataBar" id="${id}"><x14:dataBar minLength="0" maxLength="100"><x14:cfvo type="autoMin"></x14:cfvo><x14:cfvo type="num"><xm:f>9</xm:f></x14:cfvo><x14:negativeFillColor`,
    );
  });

  test('[XS181] of one colour are read, made and unmade as such', () => {
    const solid = { ...(bar as { item: Item }).item, solid: true };
    const { reopened, expected, xml } = edit({ sheets: [{}] }, [number(2), put('c.1', solid as Item)]);
    expect(inFile(reopened)).toEqual(inFile(expected));
    expect(itemsOf(reopened.sheets[0]!, 'condition').get('c1')).toMatchObject({ solid: true });
    expect(xml).toContain('gradient="0"');
    const file = {
      sheets: [
        {
          after:
            '<conditionalFormatting sqref="A1:A9"><cfRule type="dataBar" priority="1"><dataBar><cfvo type="min"/><cfvo type="max"/><color rgb="FF638EC6"/></dataBar><extLst><ext xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main" uri="{B025F937-C7B1-47D3-B67F-A62EFF666E3E}"><x14:id>{H}</x14:id></ext></extLst></cfRule></conditionalFormatting>' +
            `<extLst><ext uri="{78C0D931-6437-407d-A8EE-F0AAD7539E65}" xmlns:x14="${X14}"><x14:conditionalFormattings><x14:conditionalFormatting xmlns:xm="${XM}"><x14:cfRule type="dataBar" id="{H}"><x14:dataBar border="1" gradient="0"/></x14:cfRule><xm:sqref>A1:A9</xm:sqref></x14:conditionalFormatting></x14:conditionalFormattings></ext></extLst>`,
        },
      ],
    };
    const read = itemsOf(opened(buildWorkbook(file)).sheets[0]!, 'condition').get('c1')!;
    expect(read).toMatchObject({ type: 'dataBar', solid: true });
    const { solid: _, ...faded } = read;
    const undone = edit(file, [put('c1', faded as Item)]);
    expect(inFile(undone.reopened)).toEqual(inFile(undone.expected));
    expect(undone.xml).toContain('<x14:dataBar border="1"/>');
  });

  test('of which none is less are written as the first version has them', () => {
    const { xml } = edit({ sheets: [{}] }, [number(2), bar]);
    expect(xml).toContain('<dataBar><cfvo type="min"/>');
    expect(xml).not.toContain('x14');
  });
});
