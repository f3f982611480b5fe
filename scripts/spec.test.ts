import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.dirname(import.meta.dirname);
const folders = [
  'services',
  'platform',
  'jobs',
  'load',
  'converter',
  'model',
  'client',
  'db',
  'scripts',
  'example',
  'editor',
  'test',
];

/** The ids that tests name: in brackets, one or several, and those in the tables of tests that run several times. */
function testedRules(): { named: Set<string>; inTables: Set<string> } {
  const named = new Set<string>();
  const inTables = new Set<string>();
  for (const folder of folders) {
    for (const name of readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts')) continue;
      const source = readFileSync(path.join(root, folder, name), 'utf8');
      for (const [, list] of source.matchAll(/\[((?:[A-Z]{1,2}\d+)(?:, ?[A-Z]{1,2}\d+)*)\]/g)) {
        for (const id of list!.split(/, ?/)) named.add(id);
      }
      if (!/\.(?:test|trial)\.ts$/.test(name)) continue;
      for (const [, id] of source.matchAll(/\['([A-Z]{1,2}\d+)', /g)) inTables.add(id!);
    }
  }
  return { named, inTables };
}

test('[SU50] every rule of the specification has a test, and every test names a rule', () => {
  const spec = readFileSync(path.join(root, 'SPEC.md'), 'utf8');
  const rules = [...spec.matchAll(/^- \*\*([A-Z]{1,2}\d+)\*\*/gm)].map(([, id]) => id!);
  expect(rules.filter((id, index) => rules.indexOf(id) !== index)).toEqual([]);
  const { named, inTables } = testedRules();
  expect(rules.filter((id) => !named.has(id) && !inTables.has(id))).toEqual([]);
  expect([...named].filter((id) => !rules.includes(id))).toEqual([]);
});
