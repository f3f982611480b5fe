import { blankText, letter, minutes, report } from './texts.ts';
import { blankWorkbook, budget, figures, schedule } from './workbooks.ts';

type Maker = (title: string) => Uint8Array;

const makers: Readonly<Record<'docx' | 'xlsx', Readonly<Record<string, Maker>>>> = {
  docx: { blank: blankText, minutes, letter, report },
  xlsx: { workbook: blankWorkbook, budget, schedule, figures },
};

/** The templates in the order they are offered, with the type of the files that are made of them. */
export const templates = Object.entries(makers).flatMap(([fileType, ofType]) =>
  Object.keys(ofType).map((id) => ({ id, fileType })),
);

/** A new file from a template; null when there is no template of this id. */
export function fromTemplate(id: unknown, title: string): { bytes: Uint8Array; fileType: string } | null {
  const fileType = templates.find((template) => template.id === id)?.fileType as
    | keyof typeof makers
    | undefined;
  return fileType ? { bytes: makers[fileType][id as string]!(title), fileType } : null;
}
