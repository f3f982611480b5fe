import { expect, it } from 'vitest';
import { sideBehind, sideBelow } from './cell-side.ts';

const room = (isRightToLeft: boolean) => ({ width: 500, sheet: { isRightToLeft } });
const cell = (x: number) => ({ x, y: 0, width: 64, height: 20 });

it('[XS144] what stands below a cell begins where the cell does, and stays within the cells', () => {
  expect(sideBelow(room(false), cell(100), 300)).toEqual({ left: '100px' });
  expect(sideBelow(room(false), cell(400), 300)).toEqual({ right: '36px' });
  expect(sideBelow(room(true), cell(400), 300)).toEqual({ right: '36px' });
  expect(sideBelow(room(true), cell(100), 300)).toEqual({ left: '100px' });
});

it('[XS144] what stands behind a cell is at its end where there is no room', () => {
  expect(sideBehind(room(false), cell(100), 24)).toEqual({ left: '164px' });
  expect(sideBehind(room(false), cell(430), 24)).toEqual({ right: '6px' });
  expect(sideBehind(room(false), cell(480), 24)).toEqual({ right: '0px' });
  expect(sideBehind(room(true), cell(400), 24)).toEqual({ right: '100px' });
  expect(sideBehind(room(true), cell(10), 24)).toEqual({ left: '10px' });
});
