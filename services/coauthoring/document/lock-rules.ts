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

/**
 * Whether any of these blocks, wanted by one user, conflicts with one that another user holds under a key, as
 * {@link conflicts} has it. The blocks are sorted first: each lock that is held is compared with the few it could conflict
 * with, not with all of them.
 */
export function wantedBlocks(
  editorType: number,
  wanted: readonly Block[],
): (heldKey: string, held: Block) => boolean {
  const keys = new Set(wanted.map(lockKey));
  const compared = new Map<string, Wanted>();
  for (const block of wanted) {
    const area = plainRangeOf(block);
    for (const name of groupsOf(editorType, block, 'wanted')) {
      const group = compared.get(name);
      if (!group) {
        compared.set(name, { blocks: [block], area });
        continue;
      }
      group.blocks.push(block);
      group.area = group.area && area && union(group.area, area);
    }
  }
  if (compared.size === 0) return (heldKey) => keys.has(heldKey);
  return (heldKey, held) => {
    if (keys.has(heldKey)) return true;
    for (const name of groupsOf(editorType, held, 'held')) {
      const group = compared.get(name);
      if (!group || isAside(held, group.area)) continue;
      if (group.blocks.some((block) => conflicts(editorType, block, held))) return true;
    }
    return false;
  };
}

/** Blocks of a group, and the area in which they are if all of them are ranges of cells and nothing more. */
interface Wanted {
  blocks: Block[];
  area: CellRange | null;
}

function plainRangeOf(block: Block): CellRange | null {
  const isPlain = isCellBlock(block) && block.type === CellBlockType.range && block.subType === null;
  return isPlain && isRange(block.rangeOrObjectId) ? block.rangeOrObjectId : null;
}

/** Whether a block is a range of cells outside of an area. */
function isAside(held: Block, area: CellRange | null): boolean {
  if (!area || !isCellBlock(held) || held.type !== CellBlockType.range) return false;
  return !intersect(area, held.rangeOrObjectId);
}

const union = (a: CellRange, b: CellRange): CellRange => ({
  c1: Math.min(a.c1, b.c1),
  r1: Math.min(a.r1, b.r1),
  c2: Math.max(a.c2, b.c2),
  r2: Math.max(a.r2, b.r2),
});

/** A block that is wanted and one that is held, with different keys, conflict only if they have a group in common. */
function groupsOf(editorType: number, block: Block, role: 'wanted' | 'held'): readonly string[] {
  switch (editorType) {
    case EditorType.spreadsheet:
      if (!isCellBlock(block)) return [];
      // Those of a sheet with each other, and sheets as a whole with all others of the kind.
      return block.type === CellBlockType.sheet ? [`in ${block.sheetId}`, 'sheets'] : [`in ${block.sheetId}`];
    case EditorType.presentation:
    case EditorType.diagram: {
      if (!isSlideBlock(block)) return [];
      const { object, slide } = SlideBlockType;
      const objectOnSlide = (id: string | number) => `object wanted, slide ${id} held`;
      const slideOfObject = (id: string | number) => `slide ${id} wanted, object held`;
      const [ofObject, ofSlide] =
        role === 'wanted' ? [objectOnSlide, slideOfObject] : [slideOfObject, objectOnSlide];
      if (block.type === object) return [`object ${block.objId}`, ofObject(block.slideId)];
      return block.type === slide ? [`slide ${block.val}`, ofSlide(block.val)] : [`part ${block.val}`];
    }
    default:
      return [];
  }
}

function cellConflict(wanted: CellBlock, held: CellBlock): boolean {
  const { range, object, sheet } = CellBlockType;
  // Only one user may hold whole sheets: two users could together delete all of them.
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
