import { expect, it } from 'vitest';
import type { DocumentRow } from '../../db/document-row.ts';
import { eventually } from '../../test/support/eventually.ts';
import { silentLog } from '../../test/support/silent-log.ts';
import { Leaving, type LeavingDependencies } from './leaving.ts';

const key = 'd1';

/** Whatever a `Leaving` does, in order, while the document is edited on another node or not. */
function leavingWhile(isEdited: boolean, ended: Promise<void> = Promise.resolve()) {
  const deeds: string[] = [];
  const document = { key, epoch: 3, model: 'word', openedAt: new Date(0), state: 'open' } as DocumentRow;
  const did =
    <Result>(name: string, result: Result) =>
    async () => {
      deeds.push(name);
      return result;
    };
  const leaving = new Leaving({
    closing: {
      lastEditorLeft: did('recorded', { kind: 'closing', dueInMs: 0 }),
      beginAssembly: did('assembly begun', document),
    } as unknown as LeavingDependencies['closing'],
    documents: { resume: did('taken back', document) },
    isEdited: async () => isEdited,
    notices: {} as LeavingDependencies['notices'],
    graceMs: 0,
    log: silentLog,
    assemble: did('assembled', { ended }),
    wakeDelivery: () => deeds.push('delivery woken'),
    faultPoint: () => undefined,
  });
  return { leaving, deeds };
}

it.each([
  [true, ['recorded', 'taken back']],
  [false, ['recorded', 'assembly begun', 'assembled', 'delivery woken']],
])(
  '[GU6] a document whose last editor here has left is assembled, unless it is edited on another node (%s)',
  async (isEdited, expected) => {
    const { leaving, deeds } = leavingWhile(isEdited);
    await leaving.lastEditorLeft(key, { userId: 'ann', callbackUrl: null }, false);
    await eventually(() => expect(deeds.length).toBe(expected.length));
    expect(deeds).toEqual(expected);
    leaving.stop();
  },
);

it('[NC18] a document whose assembly waits, or is under way, is not started again when it is found unfinished', async () => {
  const { leaving, deeds } = leavingWhile(false, new Promise(() => undefined));
  const document = { key, epoch: 3, model: 'word', openedAt: new Date(0) } as const;
  for (let sweep = 0; sweep < 3; sweep += 1) leaving.assemble(document);
  await eventually(() => expect(deeds).toEqual(['assembled']));
  leaving.assemble(document);
  // Another session of the document is another assembly.
  await eventually(() => {
    leaving.assemble({ ...document, epoch: 5 });
    expect(deeds).toEqual(['assembled', 'assembled']);
  });
  leaving.stop();
});
