import {
  type Block,
  CellBlockSubType,
  CellBlockType,
  type CellRange,
  type ExcelInfo,
  isCellBlock,
  type Lock,
  type RecalcElement,
} from '../../../client/protocol/index.ts';
import type { LockTable } from './element-locks.ts';

/** `_recalcType` of an inserted row or column. */
const inserted = 1;

/**
 * Moves the range locks of everybody but the saver by the rows and columns that a save inserted and removed, as every
 * client does with what the broadcast tells it (co-authoring protocol, section 11.5). Nobody is notified.
 */
export function shiftLocks(table: LockTable, info: ExcelInfo, saver: string): LockTable {
  const shift = (lock: Lock): Lock =>
    lock.user === saver ? lock : { ...lock, block: shifted(lock.block, info) };
  return {
    ...table,
    locks: Object.fromEntries(Object.entries(table.locks).map(([key, lock]) => [key, shift(lock)])),
  };
}

function shifted(block: Block, { indexCols, indexRows }: ExcelInfo): Block {
  if (!isCellBlock(block) || block.type !== CellBlockType.range) return block;
  const { insertColumns, insertRows } = CellBlockSubType;
  if (block.subType === insertColumns || block.subType === insertRows) return block;
  const range = block.rangeOrObjectId;
  if (typeof range !== 'object' || range === null) return block;
  const columns = indexCols?.[block.sheetId]?._arrElements ?? [];
  const rows = indexRows?.[block.sheetId]?._arrElements ?? [];
  const moved: CellRange = {
    c1: positionAfter(columns, range.c1),
    c2: positionAfter(columns, range.c2),
    r1: positionAfter(rows, range.r1),
    r2: positionAfter(rows, range.r2),
  };
  return { ...block, rangeOrObjectId: moved };
}

/** The elements are walked from the last to the first; those the saver had saved before do not count again. */
function positionAfter(elements: readonly RecalcElement[], position: number): number {
  return elements
    .filter((element) => element.m_bIsSaveIndex !== true)
    .reduceRight(
      (at, element) => (at < element._position ? at : at + (element._recalcType === inserted ? 1 : -1)),
      position,
    );
}
