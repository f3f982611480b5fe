import type { ConversionTable } from './conversion-table.ts';

/** The format in which a document is shown that is only looked at. */
export const shownType = 'pdf';

/** Whether files of a type can be shown as pages with the engines that there are. */
export const isShown = (fileType: string, table: Pick<ConversionTable, 'handles'>): boolean =>
  fileType === shownType || table.handles(fileType, shownType);
