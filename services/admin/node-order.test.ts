import { expect, test } from 'vitest';
import { byName } from './node-order.ts';

test('[NC9] nodes stand in the order of their names, whichever of them began first', () => {
  const nodes = ['docs-10-c', 'docs-2-b', 'app-1-d', 'docs-1-a'].map((nodeId) => ({ nodeId }));
  expect(nodes.sort(byName).map(({ nodeId }) => nodeId)).toEqual([
    'app-1-d',
    'docs-1-a',
    'docs-2-b',
    'docs-10-c',
  ]);
});
