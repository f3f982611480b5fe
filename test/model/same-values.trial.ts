import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import fc from 'fast-check';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compileEngine } from '../../model/calculation/engine-instance.ts';
import { openCalculation } from '../../model/calculation/workbook-calculation.ts';
import { packageRoot } from '../../platform/package-root.ts';
import { newContext, openBrowser } from '../support/browser.ts';
import { type RandomWorkbook, valuesOf, workbook } from './random-workbooks.ts';

/** Workbooks that are calculated at a time, and in all. */
const AT_ONCE = 100;
const ALL = 2_000;
const built = path.join(packageRoot, 'dist');
const engine = readFileSync(
  path.join(packageRoot, 'model', 'calculation', 'engine', 'calculation.wasm'),
).toString('base64');

const page = `<!doctype html><script type="module">
  import { compileEngine } from '/model/calculation/engine-instance.js';
  import { openCalculation } from '/model/calculation/workbook-calculation.js';
  globalThis.calculating = { compileEngine, openCalculation };
</script>`;
const code = valuesOf.toString();

/** Runs in the page. */
const calculateThere = ({
  code,
  ...given
}: {
  code: string;
  engine: string;
  workbooks: RandomWorkbook[];
}) => {
  const scope = globalThis as unknown as { calculating: unknown };
  return new Function(`return ${code}`)()(scope.calculating, given) as string[][];
};

let browser: Browser;
let server: http.Server;
let address: string;
beforeAll(async () => {
  browser = await openBrowser();
  server = http.createServer(({ url = '' }, response) => {
    if (url === '/') response.setHeader('content-type', 'text/html').end(page);
    else if (!url.endsWith('.js')) response.writeHead(404).end();
    else response.setHeader('content-type', 'text/javascript').end(readFileSync(path.join(built, url)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await browser?.close();
  server?.close();
});

it(`[CE1] ${ALL} random workbooks have the same values in a page and on a server, bit by bit`, async () => {
  const shown = await (await newContext(browser)).newPage();
  await shown.goto(address);
  await shown.waitForFunction('globalThis.calculating');
  const seed = fc.readConfigureGlobal().seed ?? 0;
  const seen = new Set<string>();
  for (let from = 0; from < ALL; from += AT_ONCE) {
    const workbooks = fc.sample(workbook, { numRuns: AT_ONCE, seed: seed + from });
    const there = await shown.evaluate(calculateThere, { code, engine, workbooks });
    const here = valuesOf({ compileEngine, openCalculation }, { engine, workbooks });
    for (const [index, one] of workbooks.entries()) {
      expect(there[index], JSON.stringify(one)).toEqual(here[index]);
      for (const value of here[index]!) seen.add(value);
    }
  }
  // It is not that nothing comes to anything.
  expect(seen.size).toBeGreaterThan(ALL * 5);
});
