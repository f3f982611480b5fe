import type { ServerMessageOf } from '../../client/protocol/index.ts';
import type { RawClient, Sent } from './raw-client.ts';

/** A `saveChanges` message with all of a save in it. */
export function saveMessage(changes: readonly string[], more: Sent = {}): Sent {
  return {
    type: 'saveChanges',
    changes: JSON.stringify(changes),
    startSaveChanges: true,
    endSaveChanges: true,
    isCoAuthoring: true,
    isExcel: false,
    deleteIndex: null,
    excelAdditionalInfo: null,
    unlock: false,
    releaseLocks: true,
    ...more,
  };
}

/** Asks for the save lock and gets it. */
export async function takeSaveLock(client: RawClient, syncChangesIndex = 0): Promise<void> {
  client.send({ type: 'isSaveLock', syncChangesIndex });
  const { saveLock } = await client.next('saveLock');
  if (saveLock) throw new Error('The save lock was refused.');
}

/** A whole save as clients do it: the save lock, the changes, the confirmation. */
export async function save(
  client: RawClient,
  changes: readonly string[],
  more: Sent = {},
  syncChangesIndex = 0,
): Promise<ServerMessageOf<'unSaveLock'>> {
  await takeSaveLock(client, syncChangesIndex);
  client.send(saveMessage(changes, more));
  return client.next('unSaveLock');
}
