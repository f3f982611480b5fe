import {
  type Block,
  type CellBlock,
  CellBlockSubType,
  CellBlockType,
  type CellRange,
  EditorType,
  isCellBlock,
  isSlideBlock,
  lockKey,
  type SlideBlock,
  SlideBlockType,
} from '../../../client/protocol/index.ts';

/**
 * Whether a block wanted by one user conflicts with a block held by another user: the semantic rules of text, sheet and
 * slide (co-authoring protocol, section 11.3). Blocks with the same key always do.
 */
export function conflicts(editorType: number, wanted: Block, held: Block): boolean {
  if (lockKey(wanted) === lockKey(held)) return true;
  switch (editorType) {
    case EditorType.spreadsheet:
      return isCellBlock(wanted) && isCellBlock(held) && cellConflict(wanted, held);
    case EditorType.presentation:
    case EditorType.diagram:
      return isSlideBlock(wanted) && isSlideBlock(held) && slideConflict(wanted, held);
    default:
      return false;
  }
}

function cellConflict(wanted: CellBlock, held: CellBlock): boolean {
  const { range, object, sheet } = CellBlockType;
  // One user alone may hold sheets as a whole: two could delete all of them between them.
  if (wanted.type === sheet && held.type === sheet) return true;
  if (wanted.sheetId !== held.sheetId) return false;
  if (wanted.subType !== null && held.subType !== null) return true;
  if (wanted.subType === CellBlockSubType.changeProperties && held.type !== sheet) return false;
  if (held.subType === CellBlockSubType.changeProperties && wanted.type !== sheet) return false;
  if (wanted.type === sheet || held.type === sheet) return true;
  if (wanted.type === range && held.type === range) {
    return !isInsertion(held) && intersect(wanted.rangeOrObjectId, held.rangeOrObjectId);
  }
  return wanted.type === object && held.type === object && wanted.rangeOrObjectId === held.rangeOrObjectId;
}

const isInsertion = ({ subType }: CellBlock) =>
  subType === CellBlockSubType.insertColumns || subType === CellBlockSubType.insertRows;

/** Rectangles (inclusive corners) share a cell unless one lies entirely beside the other; no rectangle is everywhere. */
function intersect(a: CellBlock['rangeOrObjectId'], b: CellBlock['rangeOrObjectId']): boolean {
  if (!isRange(a) || !isRange(b)) return true;
  return a.c1 <= b.c2 && b.c1 <= a.c2 && a.r1 <= b.r2 && b.r1 <= a.r2;
}

const isRange = (value: CellBlock['rangeOrObjectId']): value is CellRange =>
  typeof value === 'object' && value !== null;

function slideConflict(wanted: SlideBlock, held: SlideBlock): boolean {
  const { object, slide } = SlideBlockType;
  if (wanted.type === object && held.type === object) return wanted.objId === held.objId;
  if (wanted.type === object && held.type === slide) return wanted.slideId === held.val;
  if (wanted.type === slide && held.type === object) return wanted.val === held.slideId;
  return (
    wanted.type !== object && held.type !== object && wanted.type === held.type && wanted.val === held.val
  );
}
