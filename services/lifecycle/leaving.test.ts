import { expect, it } from 'vitest';
import type { DocumentRow } from '../../db/document-row.ts';
import { eventually } from '../../test/support/eventually.ts';
import { silentLog } from '../../test/support/silent-log.ts';
import { Leaving, type LeavingDependencies } from './leaving.ts';

const key = 'd1';

/** Whatever a `Leaving` does, in order, while the document is edited on another node or not. */
function leavingWhile(isEdited: boolean) {
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
    assemble: did('assembled', undefined),
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
