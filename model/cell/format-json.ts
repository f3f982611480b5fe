import * as z from 'zod/mini';
import type { CellFormat, Color, Font, FormatPatch } from './cell-format.ts';

const word = z.string().check(z.maxLength(255));
const flag = z.optional(z.boolean());
export const color = z.object({
  rgb: z.optional(z.string().check(z.regex(/^[0-9A-Fa-f]{6}$/))),
  theme: z.optional(z.number()),
  indexed: z.optional(z.number()),
  auto: flag,
  tint: z.optional(z.number()),
});
const font = z.object({
  name: z.optional(word),
  size: z.optional(z.number()),
  bold: flag,
  italic: flag,
  underline: z.optional(z.enum(['single', 'double', 'singleAccounting', 'doubleAccounting'])),
  strike: flag,
  color: z.optional(color),
  vertical: z.optional(z.enum(['superscript', 'subscript'])),
  scheme: z.optional(z.enum(['major', 'minor'])),
});
const fill = z.object({
  pattern: z.optional(word),
  color: z.optional(color),
  background: z.optional(color),
  gradient: z.optional(
    z.object({
      degree: z.optional(z.number()),
      stops: z.array(z.object({ at: z.number(), color })).check(z.maxLength(100)),
    }),
  ),
});
const borderLine = z.object({ style: word, color: z.optional(color) });
const border = z.object({
  left: z.optional(borderLine),
  right: z.optional(borderLine),
  top: z.optional(borderLine),
  bottom: z.optional(borderLine),
  diagonal: z.optional(borderLine),
  diagonalUp: flag,
  diagonalDown: flag,
});
const align = z.object({
  horizontal: z.optional(
    z.enum(['left', 'center', 'right', 'fill', 'justify', 'centerContinuous', 'distributed']),
  ),
  vertical: z.optional(z.enum(['top', 'center', 'bottom', 'justify', 'distributed'])),
  wrap: flag,
  shrink: flag,
  indent: z.optional(z.number()),
  rotation: z.optional(z.number()),
  readingOrder: z.optional(z.union([z.literal(1), z.literal(2)])),
});
const protection = z.object({ locked: flag, hidden: flag });

const cellFormat = z.object({
  number: z.optional(word),
  font: z.optional(font),
  fill: z.optional(fill),
  border: z.optional(border),
  align: z.optional(align),
  protection: z.optional(protection),
  style: z.optional(word),
  base: z.optional(z.number()),
});

/** Every property may also be null, which takes it away. */
const parts = { font, border, align, protection } as const;

export const isColor = (value: unknown): value is Color => color.safeParse(value).success;
export const isFormat = (value: unknown): value is CellFormat => cellFormat.safeParse(value).success;
export const isFont = (value: unknown): value is Font => font.safeParse(value).success;

export function isFormatPatch(value: unknown): value is FormatPatch {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || 'base' in value) return false;
  const bare: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(value)) {
    if (part === null) continue;
    bare[name] =
      Object.hasOwn(parts, name) && typeof part === 'object'
        ? Object.fromEntries(Object.entries(part as object).filter(([, property]) => property !== null))
        : part;
  }
  return isFormat(bare);
}
