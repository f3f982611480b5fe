import { type Axis, areaOf, lastOf } from '../../../model/cell/area.ts';
import type { OperationNamed } from '../../../model/cell/operations.ts';
import type { Deed, Place } from './deed.ts';

const along = (axis: Axis, place: Place) => (axis === 'row' ? place.row : place.column);

/** What is done to whole rows or columns. */
export function lineDeeds(axis: Axis): Deed[] {
  const lines = (name: string, patch: OperationNamed<'lines'>['patch']): Deed => ({
    name: `${name} ${axis}s`,
    operations: (place) => {
      const at = along(axis, place);
      return [{ op: 'lines', sheet: place.sheet.id, axis, spans: [[at, at + 1]], patch }];
    },
  });
  return [
    {
      name: `insert ${axis}s`,
      moves: true,
      operations: (place) => [
        { op: 'insert', axis, sheet: place.sheet.id, at: along(axis, place), count: 2, like: 'before' },
      ],
      office: (place, sheet) => ['insert', sheet, axis === 'row' ? 0 : 1, along(axis, place), 2],
    },
    {
      name: `delete ${axis}s`,
      moves: true,
      operations: (place) => [
        { op: 'delete', axis, sheet: place.sheet.id, at: along(axis, place), count: 1 },
      ],
      office: (place, sheet) => ['delete', sheet, axis === 'row' ? 0 : 1, along(axis, place), 1],
    },
    {
      name: `move ${axis}s`,
      moves: true,
      operations: (place) => [
        {
          op: 'move',
          axis,
          sheet: place.sheet.id,
          at: along(axis, place),
          count: 1,
          to: along(axis, place) + 3,
        },
      ],
    },
    {
      name: axis === 'row' ? 'insert cells, down' : 'insert cells, right',
      moves: true,
      operations: (place) => {
        const across = along(axis === 'row' ? 'column' : 'row', place);
        return [
          {
            ...{ op: 'insert', axis, sheet: place.sheet.id, at: along(axis, place), count: 1 },
            band: [across, across + 1],
          },
        ];
      },
    },
    {
      name: axis === 'row' ? 'delete cells, up' : 'delete cells, left',
      moves: true,
      operations: (place) => {
        const across = along(axis === 'row' ? 'column' : 'row', place);
        return [
          {
            ...{ op: 'delete', axis, sheet: place.sheet.id, at: along(axis, place), count: 1 },
            band: [across, across + 1],
          },
        ];
      },
    },
    {
      name: `sort ${axis}s`,
      moves: true,
      operations: (place) => {
        const at = along(axis, place);
        const order = [4, 2, 0, 3, 1].map((by) => Math.min(at + by, lastOf(axis)));
        const size = axis === 'row' ? place.columns : place.rows;
        return [{ op: 'sort', axis, sheet: place.sheet.id, band: [0, size - 1], order }];
      },
    },
    lines('size', { size: 33, custom: true }),
    lines('hide', { hidden: true }),
    lines('group', { level: 1 }),
    {
      name: `format ${axis}s`,
      operations: (place) => {
        const at = along(axis, place);
        const patch = { font: { italic: true }, align: { wrap: true } };
        return [{ op: 'format', sheet: place.sheet.id, areas: [areaOf(axis, at, at)], patch }];
      },
    },
  ];
}
