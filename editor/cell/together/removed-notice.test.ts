import { expect, it, vi } from 'vitest';
import { applyOperation } from '../../../model/cell/change.ts';
import { blankWorkbook, parseWorkbook } from '../../../model/cell/document.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import type { Workbook } from '../../../model/cell/workbook.ts';
import { tellLostText } from '../../kit/lost-text.ts';
import { notify } from '../../kit/notices.tsx';
import '../texts.ts';
import { tellSheetIsGone } from './removed-notice.ts';

vi.mock('../../kit/notices.tsx', () => ({ notify: vi.fn() }));

const said = () => vi.mocked(notify).mock.calls.map(([{ text }]) => text);
const made = (workbook: Workbook, operation: CellOperation): Workbook =>
  applyOperation(workbook, operation) as Workbook;
const one = parseWorkbook(blankWorkbook());
const two = made(one, { op: 'addSheet', sheet: 's2', name: 'Next', at: 1 });
const hidden = made(two, { op: 'sheet', sheet: 's2', patch: { state: 'hidden' } });

it('[XS199] who looks at a sheet that somebody removes or hides is told, and nobody else; what was typed is said', () => {
  tellSheetIsGone(two, one, 's1');
  tellSheetIsGone(two, hidden, 's1');
  tellSheetIsGone(hidden, two, 's2');
  tellSheetIsGone(one, two, 's1');
  tellLostText('sheet.typedIsGone', '');
  expect(said()).toEqual([]);
  tellSheetIsGone(two, one, 's2');
  tellSheetIsGone(two, hidden, 's2');
  tellLostText('sheet.typedIsGone', '=A1+2');
  expect(said()).toEqual([
    'Somebody has removed the sheet “Next”.',
    'Somebody has hidden the sheet “Next”.',
    'The cell that you were typing into is gone: somebody has removed or merged it. You had typed: =A1+2',
  ]);
});
