import * as z from 'zod/mini';
import { fieldBounds } from './limits.ts';

/** One insertion (`_recalcType` 1) or removal (2) of rows or columns at `_position`, 0-based. */
const recalcElementSchema = z.object({
  _recalcType: z.union([z.literal(1), z.literal(2)]),
  _position: z.number(),
  _count: z.optional(z.number()),
  m_bIsSaveIndex: z.optional(z.boolean()),
});
export type RecalcElement = z.infer<typeof recalcElementSchema>;

const recalcSheetsSchema = z.record(z.string(), z.object({ _arrElements: z.array(recalcElementSchema) }));

const excelInfoSchema = z.object({
  indexCols: z.optional(z.nullable(recalcSheetsSchema)),
  indexRows: z.optional(z.nullable(recalcSheetsSchema)),
});
/** What a spreadsheet save inserted and removed, by sheet id: other users' range locks move with it. */
export type ExcelInfo = z.infer<typeof excelInfoSchema>;

/** Reads `saveChanges.excelAdditionalInfo`, a JSON text; null if it is not of the expected shape. */
export function parseExcelInfo(json: string): ExcelInfo | null {
  if (json.length > fieldBounds.excelInfo) return null;
  try {
    const result = excelInfoSchema.safeParse(JSON.parse(json));
    return result.success ? result.data : null;
  } catch {
    return null;
  }
}
