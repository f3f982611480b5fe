import type { Workbook } from '../../../model/cell/workbook.ts';
import type { CopyWish } from '../../shell/document-editor.ts';
import { hasDecimalComma } from '../editing/local-formula.ts';

/** What is shown of a workbook, and as people of which region have it. */
interface Shown {
  readonly workbook: { peek(): Pick<Workbook, 'sheets' | 'properties'> };
  readonly sheetId: { peek(): string };
  readonly settings: { readonly locale: string };
}

/** A region with its country: `de` is that of Germany. */
function regionOf(locale: string): string {
  const { language, region } = new Intl.Locale(locale).maximize();
  return `${language}-${region}`;
}

/** The sheet that is shown, where there are others; those of a protected workbook cannot be taken apart. */
function shownSheet({ workbook, sheetId }: Shown): CopyWish {
  const { sheets, properties } = workbook.peek();
  const at = sheets.findIndex(({ id }) => id === sheetId.peek());
  return sheets.length > 1 && !properties.protected ? { sheet: at + 1 } : {};
}

/** Of copies that show values: as people see these, and tables in plain text of the sheet that is shown. */
export function copyWishFor(shown: Shown, fileType: string): CopyWish {
  const region = regionOf(shown.settings.locale);
  if (fileType === 'pdf') return { region };
  if (fileType !== 'csv' && fileType !== 'tsv') return {};
  const separated = fileType === 'csv' && hasDecimalComma(shown.settings.locale);
  return { region, ...shownSheet(shown), ...(separated && { delimiterChar: ';' }) };
}

/** Of pages that are printed: of the sheet that is shown. */
export const printingWish = (shown: Shown): CopyWish => ({
  ...copyWishFor(shown, 'pdf'),
  ...shownSheet(shown),
});
