import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasEditors, needsEditors } from './editor-driver.ts';
import { onePixel } from './pictures.ts';
import { SheetWorld } from './sheet-world.ts';

const timeout = 240_000;

describe.skipIf(!hasEditors)(`a spreadsheet ${needsEditors}`, { timeout }, () => {
  let world: SheetWorld;

  beforeAll(async () => {
    world = await SheetWorld.open();
  }, timeout);
  afterAll(() => world?.close());

  it('[TS1] is typed into by two, who see what the other did and what their formulas come to', async () => {
    const { key, ann, bob } = await world.pair();
    await ann.enter('A1', '101');
    await bob.addUpTo('A3:A4', 119);
    await bob.enter('D1', '=A4*2');
    await ann.addUpTo('C1:D1', 227);
    await Promise.all([ann.enter('E1', 'from ann'), bob.enter('E2', 'from bob')]);
    await ann.shows('E2', 'from bob');
    await bob.shows('E1', 'from ann');
    const workbook = await world.assembled(key, ann, bob);
    expect(workbook.values('A1', 'A4', 'D1', 'E1', 'E2')).toEqual({
      A1: '101',
      A4: '112',
      D1: '224',
      E1: 'from ann',
      E2: 'from bob',
    });
    expect(workbook.cell('D1').formula).toBe('A4*2');
  });

  it('[TS2] moves what somebody types when rows and columns come and go before it', async () => {
    const { key, ann, bob } = await world.pair();
    await bob.beginTyping('C3', 'typed');
    await ann.seesLocked('C3');
    await ann.insert('InsertRows', 'A2');
    await ann.shows('A5', '=SUM(A1:A4)');
    await bob.office.press('Enter');
    await ann.shows('C4', 'typed');
    // What is locked is named by its row: his page has to have taken hers first.
    await bob.shows('C4', 'typed');
    await bob.beginTyping('C6', 'twice');
    await ann.seesLocked('C6');
    await ann.delete('DeleteRows', 'A1');
    await ann.shows('A2', '4');
    await ann.delete('DeleteColumns', 'A1');
    await ann.shows('A2', '5');
    await ann.insert('InsertColumns', 'A1');
    await ann.shows('B2', '5');
    await bob.office.press('Enter');
    await ann.shows('C5', 'twice');
    await bob.shows('C5', 'twice');
    const workbook = await world.assembled(key, ann, bob);
    expect(workbook.values('B2', 'B3', 'C3', 'C5')).toEqual({ B2: '5', B3: '8', C3: 'typed', C5: 'twice' });
  });

  it('[TS3] keeps formats, pictures and comments, and people hear what others say', async () => {
    const { key, ann, bob } = await world.pair();
    await ann.enter('A6', 'bold');
    await ann.goTo('A6');
    await ann.office.press('Control+b');
    await ann.picture('D6', onePixel);
    await bob.comment('B2', 'A remark');
    await bob.say('Good morning');
    await ann.hears('Good morning');
    await ann.office.saved();
    await bob.office.saved();
    const workbook = await world.assembled(key, ann, bob);
    expect(workbook.isBold('A6')).toBe(true);
    expect(workbook.isBold('A1')).toBe(false);
    expect(workbook.parts.filter((name) => name.startsWith('xl/media/'))).toHaveLength(1);
    expect(workbook.text('xl/drawings/drawing1.xml')).toMatch(/<xdr:col>3<.*<xdr:row>5</s);
    expect(workbook.text('xl/comments1.xml')).toMatch(/ref="B2".*A remark/s);
  });
});
