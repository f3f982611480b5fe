import os from 'node:os';
import { expect, test } from 'vitest';
import { loadConfig } from '../../platform/config.ts';
import { nodeName } from './nodes.ts';

test('[OB22] a node is called by its setting, else by its host, and a worker has its number behind it', () => {
  const named = loadConfig({ NODE_NAME: 'docs-1' });
  expect(nodeName(named, null)).toBe('docs-1');
  expect(nodeName(named, { number: 2 })).toBe('docs-1-2');
  expect(nodeName(loadConfig({}), null)).toBe(
    os
      .hostname()
      .replace(/[^0-9A-Za-z._-]+/g, '-')
      .slice(0, 63),
  );
  expect(() => loadConfig({ NODE_NAME: 'a name' })).toThrow('NODE_NAME');
});
