import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { addressRights } from '../../http/address-rights.ts';
import { openApiDocument } from './document.ts';
import { resources } from './resources.ts';

const root = path.join(import.meta.dirname, '../../..');

test('[RA16] docs/openapi.json is what the schemas of requests say (`quire openapi` prints it)', () => {
  const file = readFileSync(path.join(root, 'docs/openapi.json'), 'utf8');
  expect(JSON.parse(file)).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
});

/** Addresses that belong to pages and files rather than to the interface. */
const pages = /^\/(?:web-apps|document_editor|cache|sdkjs|fonts|dictionaries)/;

test('[RA17] every address that has a route is described', () => {
  const described = new Set(resources.flatMap(({ path, alias }) => [path, alias]));
  const missing = Object.keys(addressRights)
    .map((address) => address.split(' ') as [string, string])
    .filter(([method, route]) => method !== 'ALL' && !pages.test(route))
    .map(([, route]) => route.replace(/\{\/\*\w+\}/, '').replace(/:(\w+)/g, '{$1}'))
    .filter((route) => !described.has(route));
  expect(missing).toEqual([]);
});
