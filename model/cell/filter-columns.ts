import type { ItemOf } from './items.ts';

/** What a filter says of one column. */
export type FilterColumn = ItemOf<'filter'>['columns'][number];

/** Whether rows are hidden by it: of some columns a file says only that they have no button. */
export const hasCriteria = (column: FilterColumn): boolean => {
  const { values, blanks, dates, conditions, top, dynamic, color, extra } = column;
  return [values, blanks, dates, conditions, top, dynamic, color, extra].some(Boolean);
};

/** Whether a filter of these columns hides rows; a list without a filter has none. */
export const hidesRows = (columns: readonly FilterColumn[] | undefined): boolean =>
  columns?.some(hasCriteria) ?? false;
