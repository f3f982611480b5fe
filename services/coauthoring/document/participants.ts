import type { Participant as ParticipantOnWire } from '../../../client/protocol/index.ts';
import type { Visitor } from '../../../platform/ports/document-lifecycle.ts';

/** Somebody who takes part in a document, as every node knows them. */
export interface Participant {
  readonly connectionId: string;
  readonly nodeId: string;
  readonly sessionId: string;
  readonly sessionTimeConnectMs: number;
  readonly userIndex: number;
  readonly uniqueId: string;
  readonly userId: string;
  readonly name: string;
  /** The integrator has said the name: another one here does not replace it. */
  readonly nameIsFixed?: true;
  readonly view: boolean;
  readonly live: boolean;
  readonly encrypted?: boolean;
  /** Parked until the first editor has finished with its history. */
  readonly waits: boolean;
  /** Whom callbacks name; only of editors, for whom other nodes send callbacks when theirs is gone. */
  readonly visitor: Visitor | null;
}

/**
 * Who takes part in a document on any node: a shared value. The names of its fields, and its own, are those that nodes of
 * earlier versions read. Clients that are out of co-editing are not in here.
 */
export interface ParticipantList {
  /** In the order in which they joined. */
  readonly present: readonly Participant[];
  /** The first editor, for whom newcomers wait: a lone one, who may still rewrite what it has saved. */
  readonly gateKeeper: Pick<Participant, 'connectionId' | 'uniqueId'> | null;
  /** Of the first one who came; by its rules locks conflict. */
  readonly editorType: number;
}

export const noParticipants: ParticipantList = { present: [], gateKeeper: null, editorType: 0 };

export const participantsValue = { name: 'company', empty: noParticipants };

/** What a newcomer finds. */
export interface JoinOutcome {
  /** Whom to wait for; null: nobody. */
  firstEditor: Participant | null;
  /** Earlier connections of the same session, which are nobody's any more. */
  replaced: readonly Participant[];
  /** Nobody else edits. */
  isOnlyEditor: boolean;
}

/**
 * Somebody comes. A new editor has to wait where one edits alone, or others wait already; a session that returns takes the
 * place of its earlier connections and waits for nobody.
 */
export function enter(
  list: ParticipantList,
  newcomer: Participant,
  { returns, editorType }: { returns: boolean; editorType: number },
): [ParticipantList, JoinOutcome] {
  const isReplaced = (one: Participant) =>
    one.connectionId === newcomer.connectionId || (returns && one.sessionId === newcomer.sessionId);
  const others = list.present.filter((one) => !isReplaced(one));
  const replaced = list.present.filter(
    (one) => isReplaced(one) && one.connectionId !== newcomer.connectionId,
  );
  const editors = others.filter((one) => !one.view);
  let firstEditor = list.gateKeeper;
  if (firstEditor?.uniqueId === newcomer.uniqueId) firstEditor = newcomer;
  const waits = !newcomer.view && !returns;
  if (waits && !firstEditor) {
    const [first, ...more] = editors.filter((one) => !one.waits);
    if (first && more.length === 0) firstEditor = first;
  }
  const hasToWait = waits && firstEditor !== null;
  const after: ParticipantList = {
    present: [...others, hasToWait ? { ...newcomer, waits: true } : newcomer],
    gateKeeper: firstEditor && {
      connectionId: firstEditor.connectionId,
      uniqueId: firstEditor.uniqueId,
    },
    editorType: list.present.length === 0 ? editorType : list.editorType,
  };
  return [
    after,
    {
      firstEditor: hasToWait ? firstEditorOf(after) : null,
      replaced,
      isOnlyEditor: !newcomer.view && editors.length === 0,
    },
  ];
}

/** What somebody leaves behind. */
export interface LeaveOutcome {
  participant: Participant;
  /** Another connection of the same user session is there still. */
  stillHere: boolean;
  /** It was the last one who edited. */
  wasLastEditor: boolean;
  /** The shared value did not know of it: everything was lost, or another node has already taken it out. */
  wasUnknown?: true;
}

/** Connections are gone. Only the step that takes one out learns of it, so that it is cleared up once. */
export function leave(
  list: ParticipantList,
  isGone: (one: Participant) => boolean,
): [ParticipantList, readonly LeaveOutcome[]] {
  const gone = list.present.filter(isGone);
  if (gone.length === 0) return [list, []];
  const present = list.present.filter((one) => !isGone(one));
  const noneEdits = !present.some((one) => !one.view);
  const lastEditor = noneEdits ? gone.findLast((one) => !one.view) : undefined;
  const left = gone.map((one) => ({
    participant: one,
    stillHere: present.some(({ uniqueId }) => uniqueId === one.uniqueId),
    wasLastEditor: one === lastEditor,
  }));
  if (present.length === 0) return [noParticipants, left];
  const firstEditorStays = present.some(({ uniqueId }) => uniqueId === list.gateKeeper?.uniqueId);
  const after = { ...list, present };
  return [firstEditorStays ? after : admitWaiting(after)[0], left];
}

/** The same for a node's own connections: the node knows that they were there, also when the shared value was lost. */
export function leaveOwn(
  list: ParticipantList,
  isGone: (one: Participant) => boolean,
  own: readonly Participant[],
): [ParticipantList, readonly LeaveOutcome[]] {
  const [after, left] = leave(list, isGone);
  const unknown = own
    .filter(({ connectionId }) => !list.present.some((one) => one.connectionId === connectionId))
    .map((one) => ({
      participant: one,
      stillHere: after.present.some(({ uniqueId }) => uniqueId === one.uniqueId),
      wasLastEditor: false,
      wasUnknown: true as const,
    }));
  return [after, [...left, ...unknown]];
}

/** Lets in those who wait; `editorId`: only if they wait for this user. Returns whether anybody did. */
export function admitWaiting(
  list: ParticipantList,
  editorId: string | null = null,
): [ParticipantList, boolean] {
  const { gateKeeper: firstEditor, present } = list;
  if (!firstEditor || (editorId !== null && firstEditor.uniqueId !== editorId)) return [list, false];
  const letIn = present.map((one) => (one.waits ? { ...one, waits: false } : one));
  return [{ ...list, gateKeeper: null, present: letIn }, true];
}

/** Gives a user another name on all connections but those whose name the integrator has said. */
export function rename(list: ParticipantList, userId: string, name: string): ParticipantList {
  const present = list.present.map((one) =>
    one.userId === userId && !one.nameIsFixed ? { ...one, name } : one,
  );
  return { ...list, present };
}

/** Who of a node's own members should be there and is not. One whose session goes on elsewhere should not. */
export const missingIn = (
  list: ParticipantList,
  nodeId: string,
  own: readonly Participant[],
): readonly Participant[] => absentIn(list, own).filter((one) => !goesOnElsewhere(list, nodeId, one));

/** The members of a node whose session goes on with a connection to another node. */
export const movedFrom = (
  list: ParticipantList,
  nodeId: string,
  own: readonly Participant[],
): readonly Participant[] => absentIn(list, own).filter((one) => goesOnElsewhere(list, nodeId, one));

function absentIn({ present }: ParticipantList, own: readonly Participant[]): readonly Participant[] {
  const known = new Set(present.map(({ connectionId }) => connectionId));
  return own.filter(({ connectionId }) => !known.has(connectionId));
}

const goesOnElsewhere = ({ present }: ParticipantList, nodeId: string, { sessionId }: Participant): boolean =>
  present.some((one) => one.sessionId === sessionId && one.nodeId !== nodeId);

/**
 * Corrects the list by a node's own members: those who are missing are put back, those who left unnoticed are taken
 * out. Returns whom else it took out, and whether anybody was missing.
 */
export function putRight(
  list: ParticipantList,
  nodeId: string,
  own: readonly Participant[],
  editorType: number,
): [ParticipantList, { left: readonly LeaveOutcome[]; wasMissing: boolean }] {
  const ids = new Set(own.map(({ connectionId }) => connectionId));
  const missing = missingIn(list, nodeId, own);
  const before =
    missing.length === 0
      ? list
      : {
          ...list,
          present: [...list.present, ...missing],
          editorType: list.present.length === 0 ? editorType : list.editorType,
        };
  const [after, left] = leave(before, (one) => one.nodeId === nodeId && !ids.has(one.connectionId));
  return [after, { left, wasMissing: missing.length > 0 }];
}

const firstEditorOf = ({ present, gateKeeper: firstEditor }: ParticipantList): Participant | null =>
  present.find(({ connectionId }) => connectionId === firstEditor?.connectionId) ??
  present.find(({ uniqueId }) => uniqueId === firstEditor?.uniqueId) ??
  null;

/** The integrator's ids of all who edit, each once. */
export const editorIdsIn = ({ present }: ParticipantList): string[] => [
  ...new Set(present.filter((one) => !one.view).map(({ userId }) => userId)),
];

/** What others see of somebody. */
export const participantMessage = (one: Participant): ParticipantOnWire => ({
  id: one.uniqueId,
  idOriginal: one.userId,
  username: one.name,
  indexUser: one.userIndex,
  view: one.view,
  connectionId: one.connectionId,
  isCloseCoAuthoring: false,
  isLiveViewer: one.view && one.live,
  ...(one.encrypted === undefined ? {} : { encrypted: one.encrypted }),
});
