import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.dirname(import.meta.dirname);
const folders = ['services', 'converter', 'model', 'client', 'db', 'scripts', 'test'];

/** The ids that tests begin with: `[AB1] …`, several in a row, or `[AB1, AB2] …`. */
function testedRules(): Set<string> {
  const ids = new Set<string>();
  for (const folder of folders) {
    for (const name of readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts')) continue;
      const source = readFileSync(path.join(root, folder, name), 'utf8');
      for (const [, list] of source.matchAll(/\[((?:[A-Z]{1,2}\d+)(?:, ?[A-Z]{1,2}\d+)*)\]/g)) {
        for (const id of list!.split(/, ?/)) ids.add(id);
      }
    }
  }
  return ids;
}

test('[SU50] every rule of the specification has a test, and every test names a rule', () => {
  const spec = readFileSync(path.join(root, 'SPEC.md'), 'utf8');
  const rules = [...spec.matchAll(/^- \*\*([A-Z]{1,2}\d+)\*\*/gm)].map(([, id]) => id!);
  expect(rules.filter((id, index) => rules.indexOf(id) !== index)).toEqual([]);
  const tested = testedRules();
  expect(rules.filter((id) => !tested.has(id))).toEqual([]);
  expect([...tested].filter((id) => !rules.includes(id))).toEqual([]);
});
