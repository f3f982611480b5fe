import { afterAll, beforeAll, expect, it } from 'vitest';
import { CellSession } from '../../client/cell/cell-session.ts';
import { openXlsx } from '../../converter/engines/ooxml/xlsx/xlsx-engine.ts';
import { parseWorkbook } from '../../model/cell/document.ts';
import type { CellInput } from '../../model/cell/operations.ts';
import { sameWorkbook } from '../../model/cell/same-workbook.ts';
import { eventually } from '../support/eventually.ts';
import { TestIntegrator } from '../support/integrator.ts';
import { startNodes, type TestNodes } from '../support/nodes.ts';
import { hasRedis } from '../support/redis.ts';
import { fetchFile } from '../support/word-editor.ts';
import { buildXlsx } from '../support/xlsx-fixture.ts';

const key = 'sheet-nodes';
const people = ['ann', 'bob', 'cleo'];
const rounds = 6;

let nodes: TestNodes;
let integrator: TestIntegrator;
beforeAll(async () => {
  if (!hasRedis) return;
  integrator = await TestIntegrator.start();
  nodes = await startNodes(3, {
    CLOSING_GRACE_MS: '200',
    RECONNECT_GRACE_MS: '60000',
    NODE_LEASE_MS: '5000',
  });
});
afterAll(async () => {
  await nodes?.close();
  await integrator?.close();
});

/** A person who comes back through whichever node there is. */
async function open(user: string, url: string): Promise<CellSession> {
  const session = new CellSession({
    ...{ url: nodes.address, key, clientId: user },
    auth: {
      user: { id: user, username: user },
      ...{ permissions: { edit: true }, mode: 'edit', coEditingMode: 'fast' },
      documentCallbackUrl: integrator.callbackUrl(key),
      openCmd: { format: 'xlsx', url, title: `${key}.xlsx` },
    },
    reconnect: { initialDelayMs: 20, maxDelayMs: 250, attempts: 10_000 },
  });
  await session.open();
  return session;
}

/** Puts something into the column of a person. */
function set(session: CellSession, row: number, column: number, input: CellInput): void {
  const sheet = session.workbook.sheets[0]!.id;
  session.dispatch({ operations: [{ op: 'set', sheet, cells: [[row, column, input]] }] });
}

it.skipIf(!hasRedis)(
  '[XA12] two of three nodes are killed one after the other while three people type into a workbook: nothing is lost, and the file has its values',
  { timeout: 240_000 },
  async () => {
    const url = integrator.serve(`${key}.xlsx`, { bytes: buildXlsx([['Ann', 'Bob', 'Cleo']]) });
    const sessions: CellSession[] = [];
    for (const user of people) sessions.push(await open(user, url));
    for (let round = 1; round <= rounds; round++) {
      // The first has the converter.
      if (round === 3) await nodes.nodes[2]!.kill();
      if (round === 5) await nodes.nodes[1]!.kill();
      for (const [column, session] of sessions.entries())
        set(
          session,
          round,
          column,
          column === 2 ? { f: `A${round + 1}+B${round + 1}` } : { v: round * 10 + column },
        );
      // Those who were on the node that was killed have this in their journals until they are back.
      if (round % 2 === 0) await Promise.all(sessions.map((session) => session.saved()));
    }
    const [ann, ...others] = sessions as [CellSession, ...CellSession[]];
    await eventually(
      async () => others.every(({ workbook }) => sameWorkbook(workbook, ann.workbook)),
      (isSame) => isSame,
    );
    for (const session of sessions) await session.close();
    const { body, status } = await integrator.waitForCallback(key, (one) => one.status !== 1);
    expect(status).toBe(2);
    const { grid } = parseWorkbook(openXlsx(await fetchFile(body.url)).model).sheets[0]!;
    const written = Array.from({ length: rounds }, (_, at) =>
      people.map((_one, column) => grid.cell(at + 1, column).value),
    );
    expect(written).toEqual(
      Array.from({ length: rounds }, (_, at) => [10 * (at + 1), 10 * (at + 1) + 1, 20 * (at + 1) + 1]),
    );
  },
);
