import { type Block, isCellBlock, type ServerMessage } from '../../../client/protocol/index.ts';
import type { Holder } from './grants.ts';

/** Something that happened and that no token grants. */
export interface Breach {
  readonly kind: BreachKind;
  readonly what: string;
}

export type BreachKind =
  /** A change in the log that its author's token does not allow, or under another's name. */
  | 'log'
  /** The address of a document's file, of callbacks or of this server was set by somebody who may not. */
  | 'address'
  /** A request to an address that no token names. */
  | 'fetch'
  /** A callback that went elsewhere, or says what is not so. */
  | 'callback'
  /** Somebody is in a document, or in it as an editor, who may not be. */
  | 'entry'
  /** Somebody came back who was dropped. */
  | 'dropped'
  /** Another one's session, locks or name. */
  | 'takeover'
  /** The probe could not go on. */
  | 'shut-out'
  /** A file, a link or a secret in the wrong hands. */
  | 'leak'
  /** A request was done that needs another token. */
  | 'command';

/** A row as the database's triggers keep it. */
export interface AuditedRow {
  readonly table: string;
  readonly op: string;
  readonly row: Readonly<Record<string, unknown>>;
}

export interface ReceivedCallback {
  /** Path of the address that was called. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The answer to a request of HTTP. */
export interface Answered {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: string;
}

/** The normal person whom nothing of others may disturb. */
export interface ProbeFacts {
  readonly key: string;
  readonly serial: string;
  readonly userId: string;
  readonly userName: string;
  readonly uniqueId: string;
  readonly connectionId: string;
  /** Its session's id and token, which nobody else may see. */
  readonly secrets: readonly string[];
}

/** What is known of a stage without asking the server. */
export interface Facts {
  /** Begins every key of the stage. */
  readonly prefix: string;
  /** By their serials. */
  readonly holders: ReadonlyMap<string, Holder>;
  /** By document. */
  readonly probes: ReadonlyMap<string, ProbeFacts>;
  /** Addresses of the servers as honest people write them. */
  readonly baseUrls: readonly string[];
  /** Whether the documents are being handed over, and their logs may go. */
  readonly isClosing: boolean;
}

/** The lock that each probe holds all the time. */
export const probeBlock = 'probe-block';
/** The same in a workbook, where it is of cells. */
export const probeCells: Block = {
  ...{ sheetId: 'sheet', type: 1, subType: null, guid: probeBlock },
  rangeOrObjectId: { c1: 2, r1: 2, c2: 5, r2: 5 },
};
/** By which changes are known wherever they turn up. */
const markOf = (serial: string): string => `change:${serial}:`;
/**
 * How changes are written: who sent them, the how-manieth, and from which document the sender had been dropped by then. They are
 * changes of any of our models, with a step that none knows.
 */
export const changeOf = (serial: string, number: number, droppedFrom: string | null = null): string =>
  JSON.stringify({ c: `${markOf(serial)}${number}${droppedFrom === null ? '' : `:${droppedFrom}`}`, s: {} });
/** What the file of a document says, for whoever may read it. */
export const secretOf = (key: string): string => `The secret of ${key}.`;
const theSecret = /The secret of ([\w-]+)\./;

const holderOfUser = (facts: Facts, userId: unknown): Holder | undefined =>
  facts.holders.get(/^user-(.+)$/.exec(String(userId))?.[1] ?? '');

const mayBeNameless = (facts: Facts, key: string): boolean =>
  [...facts.holders.values()].some((holder) => holder.isNameless(key));

/** Judges a row that was written or removed. */
export function judgeRow({ table, op, row }: AuditedRow, facts: Facts): Breach[] {
  const key = String(row.key);
  switch (table) {
    case 'batches':
      return op === 'DELETE' ? judgeRemoval(key, facts) : judgeBatch(key, row, facts);
    case 'openings':
      return judgeOpening(key, row, facts);
    case 'saves':
      return [...judgeCallbackUrl(key, row.callback_url, facts), ...judgeBaseUrl('saves', row, facts)];
    case 'documents':
      return [...judgeSource(key, row, facts), ...judgeBaseUrl('documents', row, facts)];
    default:
      return [];
  }
}

function judgeRemoval(key: string, facts: Facts): Breach[] {
  const { serial } = facts.probes.get(key) ?? {};
  const others = [...facts.holders.values()].filter((holder) => holder.serial !== serial);
  if (facts.isClosing || others.some((holder) => holder.writes(key))) return [];
  return [{ kind: 'log', what: `changes of ${key} were taken back though nobody but the probe may write` }];
}

function judgeBatch(key: string, row: AuditedRow['row'], facts: Facts): Breach[] {
  const breaches: Breach[] = [];
  for (const change of JSON.parse(String(row.changes)) as string[]) {
    const [, serial = '', , droppedFrom] = String((JSON.parse(change) as { c: unknown }).c).split(':');
    const holder = facts.holders.get(serial);
    const isOwn = row.user_id === holder?.userId || holder?.isNameless(key) === true;
    if (!holder?.writes(key))
      breaches.push({ kind: 'log', what: `${change} is in ${key} without the right` });
    else if (!isOwn) breaches.push({ kind: 'takeover', what: `${change} is in ${key} as ${row.user_id}'s` });
    else if (droppedFrom === key) breaches.push({ kind: 'dropped', what: `${change} is in ${key}` });
  }
  return breaches;
}

function judgeOpening(key: string, row: AuditedRow['row'], facts: Facts): Breach[] {
  const holder = holderOfUser(facts, row.user_id);
  const mayBeIn = holder ? holder.reads(key) || mayBeNameless(facts, key) : mayBeNameless(facts, key);
  if (!mayBeIn) return [{ kind: 'entry', what: `${row.user_id} opened ${key}` }];
  return judgeCallbackUrl(key, row.callback_url, facts);
}

const isNamed = (key: string, address: unknown, facts: Facts): boolean =>
  [...facts.holders.values()].some((holder) =>
    holder.on(key).some(({ callbackUrl }) => callbackUrl === address),
  );

function judgeCallbackUrl(key: string, address: unknown, facts: Facts): Breach[] {
  if (address === null || address === '' || isNamed(key, address, facts)) return [];
  return [{ kind: 'address', what: `the callback address of ${key} is ${address}` }];
}

function judgeSource(key: string, row: AuditedRow['row'], facts: Facts): Breach[] {
  const breaches: Breach[] = [];
  const grants = [...facts.holders.values()].flatMap((holder) => holder.grants);
  const mayName = grants.filter((grant) => grant.key === key && grant.sources.length > 0);
  const readers = grants.filter((grant) => grant.reads.includes(key));
  // A document that is only read by its history has the address of that.
  const named =
    mayName.length > 0 ? mayName.flatMap(({ sources }) => sources) : readers.flatMap((one) => one.oldSources);
  if (readers.length === 0)
    breaches.push({ kind: 'entry', what: `there is a document ${key}, which no token names` });
  else if (row.source_url !== null && !named.includes(String(row.source_url))) {
    breaches.push({ kind: 'address', what: `the file of ${key} is fetched from ${row.source_url}` });
  }
  if (row.store_within_ms !== null) {
    breaches.push({ kind: 'address', what: `${key} is to be stored within ${row.store_within_ms} ms` });
  }
  return breaches;
}

/**
 * Whoever may edit says under which address the integrator is told to fetch files where `PUBLIC_URL` is not set: they
 * decide what is in those files as well.
 */
function isOwnAddress(address: string, key: string, { baseUrls, holders }: Facts): boolean {
  if (baseUrls.includes(address)) return true;
  const serial = /^https?:\/\/evil-(.+)\.test$/.exec(address)?.[1] ?? '';
  return holders.get(serial)?.writes(key) === true;
}

function judgeBaseUrl(table: string, { key, base_url: address }: AuditedRow['row'], facts: Facts): Breach[] {
  if (address === '' || address === null || isOwnAddress(String(address), String(key), facts)) return [];
  return [{ kind: 'address', what: `links of ${key} begin with ${address} (${table})` }];
}

/** Judges a callback that the integrator received. */
export function judgeCallback({ path, body }: ReceivedCallback, facts: Facts): Breach[] {
  const key = String(body.key);
  const names = [...facts.holders.values()].flatMap((holder) =>
    holder.on(key).map((grant) => grant.callbackUrl),
  );
  const breaches: Breach[] = [];
  if (!names.some((name) => name !== null && new URL(name).pathname === path)) {
    breaches.push({ kind: 'callback', what: `a callback of ${key} went to ${path}` });
  }
  for (const link of [body.url, body.changesurl]) {
    if (link === undefined || isOwnAddress(String(link).replace(/\/cache\/files\/.*$/s, ''), key, facts))
      continue;
    breaches.push({ kind: 'callback', what: `a callback of ${key} names the file ${link}` });
  }
  const named = [
    body.users,
    (body.actions as { userid?: unknown }[] | undefined)?.map(({ userid }) => userid),
  ];
  for (const userId of named.flat()) {
    if (userId === undefined) continue;
    const mayEdit = holderOfUser(facts, userId)?.writes(key) === true;
    if (!mayEdit && !mayBeNameless(facts, key)) {
      breaches.push({ kind: 'callback', what: `a callback of ${key} names ${userId} as an editor` });
    }
  }
  return breaches;
}

/** Judges a request to the trap. */
export const judgeTrapped = (path: string): Breach => ({
  kind: 'fetch',
  what: `the trap was asked for ${path}`,
});

/** Judges what the probe of a document was told. */
export function judgeProbe(message: ServerMessage, probe: ProbeFacts, facts: Facts): Breach[] {
  const { key, uniqueId } = probe;
  switch (message.type) {
    case 'connectState':
      return message.participants.flatMap((one) => judgeParticipant(one, probe, facts));
    case 'getLock': {
      const lock = message.locks[probeBlock];
      if (lock === undefined) return [];
      if (lock.user !== uniqueId)
        return [{ kind: 'takeover', what: `the probe's lock in ${key} is ${lock.user}'s` }];
      return Object.values(message.locks)
        .filter((other) => other.user !== uniqueId && haveCommonCells(other.block, lock.block))
        .map(({ user }) => ({ kind: 'takeover', what: `${user} holds cells of the probe in ${key}` }));
    }
    case 'releaseLock':
      if (!message.locks.some(({ block }) => block === probeBlock)) return [];
      return [{ kind: 'takeover', what: `the probe's lock in ${key} was freed` }];
    case 'message':
      return (message.messages ?? []).flatMap((said): Breach[] => {
        const holder = facts.holders.get(said.message);
        if (!holder?.chats(key)) return [{ kind: 'entry', what: `${said.useridoriginal} spoke in ${key}` }];
        if (holder.isNameless(key) || said.useridoriginal === holder.userId) return [];
        return [{ kind: 'takeover', what: `${holder.serial} spoke in ${key} as ${said.useridoriginal}` }];
      });
    case 'drop':
    case 'disconnectReason':
    case 'error':
    case 'updateVersion':
      if (facts.isClosing) return [];
      return [{ kind: 'shut-out', what: `the probe of ${key} was told ${JSON.stringify(message)}` }];
    default:
      return [];
  }
}

/** Whether two people who hold these would both write the same cells; of insertions and properties nothing is said. */
function haveCommonCells(a: Block, b: Block): boolean {
  if (!isCellBlock(a) || !isCellBlock(b)) return false;
  if (a.sheetId !== b.sheetId || a.subType !== null || b.subType !== null) return false;
  if (a.type === 3 || b.type === 3) return true;
  if (a.type !== 1 || b.type !== 1) return false;
  const [one, other] = [a.rangeOrObjectId, b.rangeOrObjectId];
  const isBeside = one.c1 > other.c2 || other.c1 > one.c2 || one.r1 > other.r2 || other.r1 > one.r2;
  return !isBeside;
}

function judgeParticipant(
  one: { idOriginal: string; username: string; view: boolean; connectionId: string },
  { key, userId, userName, connectionId }: ProbeFacts,
  facts: Facts,
): Breach[] {
  if (one.connectionId === connectionId) {
    if (one.username === userName && one.idOriginal === userId && !one.view) return [];
    return [{ kind: 'takeover', what: `the probe of ${key} is shown as ${JSON.stringify(one)}` }];
  }
  const holder = holderOfUser(facts, one.idOriginal);
  const isNameless = mayBeNameless(facts, key);
  if (!isNameless && !holder?.reads(key)) return [{ kind: 'entry', what: `${one.idOriginal} is in ${key}` }];
  const breaches: Breach[] = [];
  const mayBe = [...facts.holders.values()].filter((other) => other === holder || other.isNameless(key));
  if (!one.view && !mayBe.some((other) => other.writes(key))) {
    breaches.push({ kind: 'entry', what: `${one.idOriginal} is in ${key} as an editor` });
  }
  const names =
    holder?.grants.filter((grant) => grant.reads.includes(key)).map((grant) => grant.userName) ?? [];
  if (!isNameless && !names.includes(one.username)) {
    breaches.push({ kind: 'takeover', what: `${one.idOriginal} is called ${one.username} in ${key}` });
  }
  return breaches;
}

/** Judges what the server said to somebody, or answered. */
export function judgeHeard(message: ServerMessage, holder: Holder, facts: Facts): Breach[] {
  const breaches = judgeText(JSON.stringify(message), holder, facts);
  const writesSomewhere = holder.grants.some(({ writes }) => writes);
  const undue = (what: string) => {
    breaches.push({ kind: 'entry', what: `${holder.serial} was given ${what}` });
  };
  switch (message.type) {
    case 'saveLock':
      if (!message.saveLock && !writesSomewhere) undue('the turn to save');
      break;
    case 'unSaveLock':
      if (message.index >= 0 && !writesSomewhere) undue('the acknowledgement of a save');
      break;
    case 'forceSaveStart':
      if (message.messages.code === 0 && !writesSomewhere) undue('a forced save');
      break;
    default:
  }
  return breaches;
}

/** Judges the text of whatever somebody received: links, secrets of others, contents of documents. */
function judgeText(text: string, holder: Holder, facts: Facts): Breach[] {
  const breaches: Breach[] = [];
  const leak = (what: string) => {
    breaches.push({ kind: 'leak', what: `${holder.serial} was given ${what}` });
  };
  for (const [, encoded, rest] of text.matchAll(/\/cache\/files\/data\/([^/"\s]+)\/[0-9a-f]+\/([^?"\s]*)/g)) {
    const key = decodeURIComponent(encoded!);
    if (!holder.reads(key)) leak(`a link to ${key}`);
    else if (/^(?:output|origin)\./.test(rest!) && !holder.downloads(key))
      leak(`a link to ${rest} of ${key}`);
  }
  for (const [, key] of text.matchAll(new RegExp(theSecret, 'g'))) {
    if (!holder.reads(key!)) leak(`the content of ${key}`);
  }
  for (const { key, secrets, serial } of facts.probes.values()) {
    if (secrets.some((secret) => text.includes(secret))) leak(`the session of the probe of ${key}`);
    if (text.includes(markOf(serial)) && !holder.reads(key)) leak(`changes of ${key}`);
  }
  return breaches;
}

/** Judges the answer to a request of HTTP, by its address. */
export function judgeAnswer(answer: Answered, holder: Holder, facts: Facts): Breach[] {
  const { method, path, status, body } = answer;
  const breaches = judgeText(body, holder, facts);
  const isDone = status >= 200 && status < 300;
  const [, place = '', key = ''] = path.split(/[/?]/);
  const undue = (kind: BreachKind) => {
    breaches.push({
      kind,
      what: `${holder.serial}: ${method} ${path.slice(0, 80)} was answered ${status} ${body.slice(0, 200)}`,
    });
  };
  if (!isDone) return breaches;
  switch (place) {
    case 'upload':
      if (!holder.writes(key)) undue('entry');
      break;
    case 'downloadas':
      if (body.includes('"status":"ok"') && !holder.downloads(key)) undue('leak');
      break;
    case 'printfile':
      undue('leak');
      break;
    case 'downloadfile': {
      // Whose file it is, its token says.
      const [, whose = key] = theSecret.exec(body) ?? [];
      if (!holder.downloads(whose)) undue('leak');
      break;
    }
    case 'command':
    case 'coauthoring':
      if (/"error":0\b/.test(body)) undue('command');
      break;
    case 'converter':
    case 'ConvertService.ashx':
    case 'docbuilder':
      if (/endConvert|EndConvert|fileUrl|FileUrl|"urls"/.test(body)) undue('command');
      break;
    case 'internal':
    case 'info':
    case 'cache':
    case 'admin':
      undue('command');
      break;
    default:
  }
  return breaches;
}
