import { describe, expect, it } from 'vitest';
import { rowsAt } from '../../../client/testing/cell-world.ts';
import { structureMapsOf } from '../../../model/cell/structure-map.ts';
import { cellName, rangeName, readRange } from '../grid/cell-areas.ts';
import { extendTo, selectRange } from '../grid/selection.ts';
import { plainSheet } from '../testing/plain-sheet.ts';
import { movedSelection } from './moved-places.ts';

describe('what is selected while others move cells', () => {
  it('[TG5] has its active cell in it, also where that was removed', () => {
    const sheet = plainSheet();
    const upwards = extendTo(sheet, selectRange(sheet, readRange('B5')!), { row: 1, column: 1 });
    const removed = { back: [], forward: structureMapsOf(rowsAt('delete', 4)) };
    const { ranges, active, head } = movedSelection(removed, 's1', upwards);
    expect([ranges.map(rangeName), cellName(active), cellName(head)]).toEqual([['B2:B4'], 'B4', 'B2']);
  });
});
