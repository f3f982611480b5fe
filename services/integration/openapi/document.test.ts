import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openApiDocument } from './document.ts';
import { resources } from './resources.ts';

const root = path.join(import.meta.dirname, '../../..');

test('[RA16] docs/openapi.json is what the schemas of requests say (`quire openapi` prints it)', () => {
  const file = readFileSync(path.join(root, 'docs/openapi.json'), 'utf8');
  expect(JSON.parse(file)).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
});

/** Addresses that belong to pages and files rather than to the interface. */
const pages = /^\/(?:web-apps|document_editor|example|cache)/;

test('[RA17] every address that the sources give a route to is described', () => {
  const folders = ['services/integration', 'services/wopi'];
  const sources = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder))
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => readFileSync(path.join(root, folder, name), 'utf8')),
  );
  const calls = sources.flatMap((source) => [
    ...source.matchAll(/\.\s*(?:get|post|put|delete|route)\(\s*((?:\[[^\]]*\])|(?:'\/[^']*'))/g),
  ]);
  const routes = calls.flatMap(([, argument]) =>
    [...argument!.matchAll(/'(\/[^']*)'/g)].map(([, route]) => route!),
  );
  const described = new Set(resources.flatMap(({ path, alias }) => [path, alias]));
  const missing = routes
    .map((route) => route.replace(/\{\/\*\w+\}/, '').replace(/:(\w+)/g, '{$1}'))
    .filter((route) => !described.has(route) && !pages.test(route));
  expect(routes.length).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});
