import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { adminOpenApiDocument, adminResources } from './openapi.ts';

const root = path.join(import.meta.dirname, '../..');

test('[AD22] docs/admin-openapi.json describes every address of the administration, and docs/admin.md lists it', () => {
  const file = readFileSync(path.join(root, 'docs/admin-openapi.json'), 'utf8');
  expect(JSON.parse(file)).toEqual(JSON.parse(JSON.stringify(adminOpenApiDocument())));
  const sources = [...readdirSync(import.meta.dirname), '../composition/administration.ts']
    .filter((name) => /router\.ts$|administration\.ts$/.test(name))
    .map((name) => readFileSync(path.join(import.meta.dirname, name), 'utf8'));
  const routes = sources.flatMap((source) =>
    [...source.matchAll(/\.(?:get|post|put|delete|route)\(\s*'(\/[^']+)'/g)].map(([, route]) =>
      route!.replace(/:(\w+)/g, '{$1}'),
    ),
  );
  const described = new Set(adminResources.map((resource) => resource.path));
  expect(routes.length).toBeGreaterThan(15);
  expect(routes.filter((route) => !described.has(route))).toEqual([]);
  const guide = readFileSync(path.join(root, 'docs/admin.md'), 'utf8');
  expect([...described].filter((address) => !guide.includes(`\`${address}\``))).toEqual([]);
});
