import { expect, test } from 'vitest';
import { shortWaits } from './check-waits.mjs';

const linesOf = (text: string) => shortWaits(text).map(({ line }) => line);

test.each([
  "await client.next('auth', () => true, 5_000);",
  'const shortMs = 2_000; await eventually(ask, isSo, shortMs);',
  'await eventually(ask, isSo, 2 * 1_000);',
  'await fetch(url, { signal: AbortSignal.timeout(5_000) });',
  'await page.click(button, { timeout: 5_000 });',
  "await vi.waitFor(() => expect(is).toBe('so'));",
  "it('goes on', async () => {}, 20_000);",
  "it.skipIf(!has).each([1, 2])('goes on', async () => {}, 20_000);",
  'beforeAll(async () => {}, 60_000);',
  'export default { testTimeout: 600_000 };',
])('[GU11] a wait that is shorter than all others is found: %s', (text) => {
  expect(linesOf(text)).toEqual([1]);
});

test('[GU11] every one is told with its line, and what is not one is not', () => {
  const text = `
    // eventually(ask, isSo, 5_000)
    const said = 'eventually(ask, isSo, 5_000)';
    await eventually(ask, isSo);
    await eventually(ask, isSo, 120_000);
    await eventually(ask, isSo, longMs);
    await eventually(
      () => one.next('auth', () => true, 7), isSo);
    it('takes long', async () => {}, 240_000);
    it.each([1, 2])('goes on', async () => {});
    describe('much', { timeout: 4 * testTimeoutMs }, () => {});
  `;
  expect(linesOf(text)).toEqual([8]);
});
