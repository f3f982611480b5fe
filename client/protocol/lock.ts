import * as z from 'zod/mini';
import { text } from './fields.ts';
import { fieldBounds } from './limits.ts';

/** `type` of a spreadsheet block. */
export const CellBlockType = { range: 1, object: 2, sheet: 3 } as const;
export type CellBlockType = (typeof CellBlockType)[keyof typeof CellBlockType];

/** `subType` of a spreadsheet block; null for an ordinary one. */
export const CellBlockSubType = {
  deleteColumns: 1,
  insertColumns: 2,
  deleteRows: 3,
  insertRows: 4,
  changeProperties: 5,
} as const;
export type CellBlockSubType = (typeof CellBlockSubType)[keyof typeof CellBlockSubType];

/** `type` of a presentation or diagram block. */
export const SlideBlockType = { object: 1, slide: 2, presentation: 3 } as const;
export type SlideBlockType = (typeof SlideBlockType)[keyof typeof SlideBlockType];

const lockKeySchema = text(fieldBounds.lockKey).check(
  z.refine((key) => key !== '__proto__', 'a lock key must be usable as a key of a JSON object'),
);
const objectIdSchema = z.union([text(fieldBounds.lockKey), z.number()]);

const cellRangeSchema = z.object({ c1: z.number(), r1: z.number(), c2: z.number(), r2: z.number() });
/** A rectangle of cells, inclusive, 0-based. */
export type CellRange = z.infer<typeof cellRangeSchema>;

const cellSubTypeSchema = z._default(
  z.nullable(z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5)])),
  null,
);

/** A spreadsheet block. Its guid is new with every request. An absent subType is read as null. */
const cellBlockSchema = z.discriminatedUnion('type', [
  z.object({
    sheetId: objectIdSchema,
    type: z.literal(1),
    subType: cellSubTypeSchema,
    guid: lockKeySchema,
    rangeOrObjectId: cellRangeSchema,
  }),
  z.object({
    sheetId: objectIdSchema,
    type: z.literal(2),
    subType: cellSubTypeSchema,
    guid: lockKeySchema,
    rangeOrObjectId: objectIdSchema,
  }),
  z.object({
    sheetId: objectIdSchema,
    type: z.literal(3),
    subType: cellSubTypeSchema,
    guid: lockKeySchema,
    rangeOrObjectId: z.optional(z.nullable(z.union([objectIdSchema, cellRangeSchema]))),
  }),
]);
export type CellBlock = z.infer<typeof cellBlockSchema>;

/** A presentation or diagram block: an object on a slide, a slide, or the presentation as a whole. */
const slideBlockSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal(1), slideId: objectIdSchema, objId: objectIdSchema, guid: lockKeySchema }),
  z.object({ type: z.literal(2), val: objectIdSchema, guid: lockKeySchema }),
  z.object({ type: z.literal(3), val: objectIdSchema, guid: lockKeySchema }),
]);
export type SlideBlock = z.infer<typeof slideBlockSchema>;

const maxGuidBlockFields = 16;

/**
 * Any other block that is an object, as the PDF editor sends it: its guid says all that is known of it, and
 * its other plain fields are passed on. A malformed spreadsheet block is not taken for one.
 */
const guidBlockSchema = z
  .catchall(z.object({ guid: lockKeySchema }), z.union([objectIdSchema, z.boolean(), z.null()]))
  .check(
    z.refine((block) => !('sheetId' in block), 'not a spreadsheet block'),
    z.refine((block) => Object.keys(block).length <= maxGuidBlockFields, 'too many fields'),
  );

/** What an element lock covers: the id of an object in a text document, or one of the block objects. */
export const blockSchema = z.union([lockKeySchema, cellBlockSchema, slideBlockSchema, guidBlockSchema]);
export type Block = z.infer<typeof blockSchema>;

export const blocksSchema = z.array(blockSchema).check(z.maxLength(fieldBounds.locksPerRequest));

/** The key under which a block's lock is kept: its guid, or the block itself if it is a string. */
export function lockKey(block: Block): string {
  return typeof block === 'string' ? block : block.guid;
}

export function isCellBlock(block: Block): block is CellBlock {
  return typeof block === 'object' && 'sheetId' in block;
}

export function isSlideBlock(block: Block): block is SlideBlock {
  if (typeof block !== 'object' || 'sheetId' in block) return false;
  return block.type === SlideBlockType.object
    ? 'objId' in block && 'slideId' in block
    : 'val' in block && 'type' in block;
}

/** A granted element lock. `time` is milliseconds since the epoch, `user` the unique id of its holder. */
export const lockSchema = z.object({ time: z.number(), user: z.string(), block: blockSchema });
export type Lock = z.infer<typeof lockSchema>;

/** All locks of a document by their keys. */
export const lockMapSchema = z.record(z.string(), lockSchema);
export type LockMap = z.infer<typeof lockMapSchema>;

/** A lock that ended, in `releaseLock` and in the `saveChanges` broadcast. `changes` is always null. */
export const releasedLockSchema = z.object({
  block: blockSchema,
  user: z.string(),
  time: z.number(),
  changes: z.optional(z.null()),
});
export type ReleasedLock = z.infer<typeof releasedLockSchema>;
