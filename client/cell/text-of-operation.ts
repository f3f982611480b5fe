import type { CellInput, CellOperation } from '../../model/cell/operations.ts';
import { textOfValue } from '../../model/cell/values.ts';

/** What an operation says that it puts in, as text: cells behind tabs, rows in lines, comments. */
export function textOfOperation(operation: CellOperation): string {
  switch (operation.op) {
    case 'set':
      return operation.cells
        .map(([, , input]) => textOfInput(input))
        .filter((text) => text !== '')
        .join('\t');
    case 'block':
      return operation.rows
        .map((inputs) =>
          inputs
            .map((input) => textOfInput(typeof input === 'object' ? (input ?? {}) : { v: input }))
            .join('\t'),
        )
        .join('\n');
    case 'put': {
      const { text } = operation.item as { text?: string };
      return text ?? '';
    }
    case 'patch':
      return typeof operation.patch.text === 'string' ? operation.patch.text : '';
    case 'several':
      return operation.operations
        .map(textOfOperation)
        .filter((text) => text !== '')
        .join('\n');
    default:
      return '';
  }
}

function textOfInput({ v, f }: CellInput): string {
  if (f === undefined) return textOfValue(v ?? null);
  return `=${typeof f === 'string' ? f : f.t}`;
}
