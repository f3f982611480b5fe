import type { ClientMessageType } from '../../../client/protocol/index.ts';
import {
  commandFields,
  commandRights,
} from '../../../services/coauthoring/document/rights/command-rights.ts';
import { messageRights } from '../../../services/coauthoring/document/rights/message-rights.ts';
import { rpcRights } from '../../../services/coauthoring/document/rights/rpc-rights.ts';
import { type Address, addressRights } from '../../../services/http/address-rights.ts';
import { randomFrom } from '../fault-random.ts';
import type { Sent } from '../raw-client.ts';
import { type DocumentName, documentNames, type Holding, type RoleName, roles } from './grants.ts';
import type { Transport } from './line.ts';

/**
 * One thing that somebody does. Texts that begin with `$` stand for what is known only while it is played: `$token0` is
 * the own first token, `$victim.id` what the probe of the document is called, and so on (`intruder.ts`).
 */
export type Step =
  | {
      do: 'connect';
      to: DocumentName;
      transport: Transport;
      handshake: Sent;
      headers: Record<string, string>;
    }
  | { do: 'auth'; message: Sent }
  | { do: 'say'; message: Sent }
  | {
      do: 'ask';
      method: string;
      path: string;
      headers: Record<string, string>;
      body: unknown;
      /** The row of the table of addresses that it was made from, if any. */
      row?: string;
    }
  | { do: 'leave' }
  /** The integrator has this person dropped from the document of the first token. */
  | { do: 'drop' };

/** What one person does with which tokens: the same for the same seed. */
export interface Plan {
  readonly holdings: readonly Holding[];
  readonly steps: readonly Step[];
}

/** Numbers and choices of one seed. */
class Dice {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }
}

export function planOf(seed: number): Plan {
  const dice = new Dice(seed);
  const holdings = [holding(dice)];
  if (dice.chance(0.3)) holdings.push(holding(dice));
  const steps: Step[] = [];
  const rounds = 1 + dice.below(3);
  for (let round = 0; round < rounds; round += 1) {
    steps.push(connection(dice, round), { do: 'auth', message: signingIn(dice, holdings[0]!, round) });
    const count = dice.below(6);
    for (let step = 0; step < count; step += 1) steps.push(deed(dice, holdings[0]!));
    if (dice.chance(0.05)) steps.push({ do: 'drop' });
    if (dice.chance(0.5)) steps.push({ do: 'leave' });
  }
  steps.push({ do: 'ask', ...anyAddress(dice) });
  return { holdings, steps };
}

function holding(dice: Dice): Holding {
  const kind = dice.below(10);
  if (kind === 0) return { kind: 'picture' };
  if (kind <= 2) {
    const document = dice.pick(['main', 'past', 'past'] as const);
    return { kind: 'history', document, previous: dice.chance(0.3) ? dice.pick(['past', 'main']) : null };
  }
  const role = dice.pick(Object.keys(roles) as RoleName[]);
  const document = dice.chance(0.8) ? 'main' : 'other';
  return { kind: 'opening', role, document, isNamed: dice.chance(0.85) };
}

const documentOf = (held: Holding): DocumentName => (held.kind === 'picture' ? 'main' : held.document);

function connection(dice: Dice, round: number): Step {
  const transport = dice.pick(['socket.io', 'socket.io', 'plain', 'polling'] as const);
  const session = round > 0 && transport !== 'polling' && dice.chance(0.5);
  return {
    do: 'connect',
    to: dice.chance(0.85) ? 'main' : dice.pick(documentNames),
    transport,
    handshake: session ? { session: '$session' } : { token: '$token0' },
    headers: foreignHost(dice),
  };
}

function foreignHost(dice: Dice): Record<string, string> {
  if (dice.chance(0.7)) return {};
  return dice.pick<Record<string, string>>([
    { host: '$evil' },
    { 'x-forwarded-host': '$evil', 'x-forwarded-proto': 'https' },
    { host: '$evil', 'x-forwarded-for': '127.0.0.1' },
    { 'x-forwarded-prefix': '/$serial', forwarded: 'host=$evil' },
  ]);
}

/** An `auth` as the page of the token would send it, and what somebody makes of it. */
function signingIn(dice: Dice, held: Holding, round: number): Sent {
  const document = `$${documentOf(held)}`;
  const role = held.kind === 'opening' ? roles[held.role] : null;
  let message: Record<string, unknown> = {
    type: 'auth',
    docid: document,
    documentCallbackUrl: held.kind === 'opening' ? '$callback' : '',
    token: 'a constant',
    user: { id: '$me', username: '$myName', firstname: null, lastname: null, indexUser: -1 },
    editorType: '$editorType',
    lastOtherSaveTime: -1,
    block: [],
    sessionId: null,
    sessionTimeConnect: null,
    sessionTimeIdle: 0,
    documentFormatSave: 65,
    isCloseCoAuthoring: false,
    openCmd: {
      c: 'open',
      id: document,
      userid: '$me',
      format: '$fileType',
      url: '$source',
      title: 'a.$fileType',
      model: '$model',
    },
    lang: 'en',
    mode: role?.mode ?? 'view',
    permissions: role?.permissions ?? {},
    IsAnonymousUser: false,
    coEditingMode: 'fast',
    jwtOpen: '$token0',
    supportAuthChangesAck: false,
  };
  if (round > 0 && dice.chance(0.6)) message = { ...message, ...returning(dice) };
  const times = dice.chance(0.25) ? 0 : 1 + dice.below(4);
  for (let time = 0; time < times; time += 1) message = mutated(dice, message);
  return message;
}

/** Back with the own session token, with the session's id or without it. */
function returning(dice: Dice): Sent {
  const user = { id: '$me', username: '$myName', indexUser: '$index' };
  const full = { sessionId: '$sessionId', sessionTimeConnect: '$time', user };
  return {
    jwtSession: '$session',
    ...(dice.chance(0.5) && full),
    ...(dice.chance(0.5) && { openCmd: undefined }),
  };
}

function mutated(dice: Dice, message: Record<string, unknown>): Record<string, unknown> {
  const user = message.user as object;
  const open = (message.openCmd ?? { c: 'open' }) as object;
  const changes: readonly Sent[] = [
    { documentCallbackUrl: '$trap/callback' },
    { documentCallbackUrl: '$wopiSession' },
    { openCmd: { ...open, url: '$trap/document.docx' } },
    { openCmd: { ...open, url: '$wopiSession' } },
    { openCmd: { ...open, url: '$otherSource' } },
    { openCmd: { ...open, url: null } },
    { openCmd: { ...open, format: dice.pick(['txt', 'html', 'xlsx', '../evil']) } },
    { openCmd: { ...open, title: '$serial.docx', password: 'x' } },
    { openCmd: { ...open, c: dice.pick(['reopen', 'imgurls', 'pathurls']), data: ['$trap/a.png'] } },
    { docid: dice.pick(['$main', '$other', '$past', '$nobody']) },
    { docid: '$other', openCmd: { ...open, id: '$other' } },
    { user: { ...user, id: '$victim.id' } },
    { user: { ...user, username: '$victim.name', firstname: 'Evil', lastname: '$serial' } },
    { user: { ...user, id: '$victim.id', indexUser: '$victim.index' }, sessionId: '$victim.connection' },
    { user: { ...user, indexUser: '$victim.index' }, sessionId: '$sessionId', sessionTimeConnect: '$time' },
    { user: { ...user, id: 1, indexUser: 1 } },
    { mode: dice.pick(['edit', 'view', 'fillForms', '']) },
    { mode: 'edit', permissions: { edit: true } },
    { mode: 'edit', permissions: null },
    { permissions: dice.pick<unknown>([undefined, null, {}, { edit: true, download: true, chat: true }]) },
    { isCloseCoAuthoring: true },
    { jwtSession: '$session', jwtOpen: '' },
    { jwtSession: '$session', mode: 'edit' },
    { jwtSession: '$session', documentCallbackUrl: '$trap/callback', sessionId: null },
    { jwtSession: '$session', openCmd: { ...open, url: '$trap/document.docx' }, sessionId: null },
    { jwtOpen: '$session' },
    { jwtSession: '$token0' },
    { jwtOpen: '$token1' },
    { jwtOpen: 'a.b.c' },
    { sessionId: '$sessionId', sessionTimeConnect: 0 },
    { block: ['probe-block'] },
    { quireStoreWithinS: 1 },
    { encrypted: true },
    { quireSyncIndex: 0, quireCheckpoint: true, quireMoves: true },
    { coEditingMode: dice.pick(['fast', 'strict', '']) },
    { documentFormatSave: 69, lang: '../../etc' },
  ];
  return { ...message, ...dice.pick(changes) };
}

/** Something that somebody does once they are connected, whether or not they were let in. */
function deed(dice: Dice, held: Holding): Step {
  if (dice.chance(0.15)) return { do: 'ask', ...request(dice) };
  if (dice.chance(0.1)) return { do: 'ask', ...anyAddress(dice) };
  if (dice.chance(0.25)) return { do: 'say', message: saving(dice) };
  if (dice.chance(0.12)) return { do: 'auth', message: signingIn(dice, held, dice.below(2)) };
  if (dice.chance(0.05)) return { do: 'leave' };
  return { do: 'say', message: saying(dice) };
}

function saving(dice: Dice): Sent {
  return {
    type: 'saveChanges',
    changes: '$changes',
    startSaveChanges: dice.chance(0.9),
    endSaveChanges: dice.chance(0.9),
    isCoAuthoring: dice.chance(0.5),
    isExcel: dice.chance(0.3),
    deleteIndex: dice.chance(0.15) ? dice.below(3) : null,
    excelAdditionalInfo: dice.chance(0.2) ? dice.pick(shifts) : null,
    unlock: dice.chance(0.3),
    releaseLocks: dice.chance(0.5),
    reSave: dice.below(3),
  };
}

/** What somebody wants to hold: paragraphs by their names, and cells, columns, objects and sheets of a workbook. */
function block(dice: Dice): unknown {
  if (dice.chance(0.4)) return dice.pick(['probe-block', '$serial']);
  const guid = dice.pick(['probe-block', '$serial', `$serial-${dice.below(4)}`]);
  const [c1, r1] = [dice.below(8), dice.below(8)];
  const range = { c1, r1, c2: c1 + dice.below(5), r2: r1 + dice.below(5) };
  const sheetId = dice.pick(['sheet', 'sheet', 'sheet', 'another']);
  const subType = dice.chance(0.6) ? null : 1 + dice.below(5);
  const type = dice.pick([1, 1, 1, 2, 3]);
  const rangeOrObjectId = dice.pick<unknown>([type === 1 ? range : 'object', range, null]);
  return { sheetId, type, subType, guid, rangeOrObjectId };
}

const moved = (type: number, at: number, count: number) =>
  JSON.stringify({
    indexCols: { sheet: { _arrElements: [{ _recalcType: type, _position: at, _count: count }] } },
  });
/** What a save says of inserted and removed columns, well and badly. */
const shifts = [
  moved(1, 0, 2),
  moved(2, 1, 1),
  moved(1, 3, 1e9),
  moved(2, 0, -5),
  '{"indexCols":[],"indexRows":[]}',
  '{',
];

/** A message of each type but `auth`, as an honest client sends it: one that is forgotten here does not compile. */
const honest: { readonly [Type in Exclude<ClientMessageType, 'auth'>]: (dice: Dice) => Sent } = {
  isSaveLock: (dice) => ({ type: 'isSaveLock', ...(dice.chance(0.5) && { syncChangesIndex: '$end' }) }),
  saveChanges: saving,
  unSaveLock: () => ({ type: 'unSaveLock' }),
  unLockDocument: (dice) => ({
    type: 'unLockDocument',
    isSave: dice.chance(0.5),
    unlock: dice.chance(0.5),
    deleteIndex: dice.chance(0.3) ? 0 : null,
    releaseLocks: dice.chance(0.5),
  }),
  getLock: (dice) => ({
    type: 'getLock',
    block: Array.from({ length: 1 + dice.below(3) }, () => block(dice)),
  }),
  cursor: () => ({ type: 'cursor', cursor: '$serial' }),
  message: () => ({ type: 'message', message: '$serial' }),
  getMessages: () => ({ type: 'getMessages' }),
  forceSaveStart: () => ({ type: 'forceSaveStart' }),
  close: () => ({ type: 'close' }),
  extendSession: (dice) => ({ type: 'extendSession', idletime: dice.below(1e6) }),
  clientLog: () => ({ type: 'clientLog', level: 'error', msg: '$serial' }),
  authChangesAck: () => ({ type: 'authChangesAck' }),
  openDocument: (dice) => ({ type: 'openDocument', message: spoiled(dice, commandFields, command(dice)) }),
  rpc: (dice) => ({ type: 'rpc', responseKey: dice.below(100), data: call(dice) }),
};
const types = Object.keys(honest) as (keyof typeof honest)[];
/** Messages by which somebody gets a hold of something, or reads it, are sent more often. */
const likely = ['isSaveLock', 'saveChanges', 'openDocument', 'rpc'] as const;

function saying(dice: Dice): Sent {
  if (dice.chance(0.03)) return { type: 'what is this', key: '$other' };
  const type = dice.pick(dice.chance(0.25) ? likely : types);
  return spoiled(dice, messageRights[type].fields, honest[type](dice));
}

/** Values that a client never has for a field: what is somebody else's, what cannot be, and what is of another type. */
const hostileTexts = [
  '$victim.id',
  '$victim.unique',
  '$victim.connection',
  '$victim.name',
  '$other',
  '',
  '$serial',
];
const hostileNumbers = [-1, 0, 1, 2, '$victim.index', 2 ** 40, 1e15];

/** A message with one of the fields that the table names as nobody honest has it, now and then. */
function spoiled(dice: Dice, fields: Readonly<Record<string, string>>, message: Sent): Sent {
  // By its content it is known whose a message is.
  const names = Object.keys(fields).filter((name) => fields[name] !== 'content' && name !== 'c');
  if (names.length === 0 || dice.chance(0.7)) return message;
  const name = dice.pick(names);
  const value = message[name];
  const ofType: readonly unknown[] =
    typeof value === 'boolean'
      ? [!value]
      : Array.isArray(value)
        ? [[], ['probe-block'], ['$victim.id']]
        : typeof value === 'string' && !value.startsWith('$end')
          ? hostileTexts
          : hostileNumbers;
  const anything = [null, true, [], {}, ...hostileTexts, ...hostileNumbers];
  return { ...message, [name]: dice.pick(dice.chance(0.85) ? ofType : anything) };
}

function command(dice: Dice): Sent {
  return {
    c: dice.pick([...Object.keys(commandRights), 'imgurls', 'save']),
    id: dice.pick(['$main', '$other', '$past']),
    url: '$trap/command.docx',
    format: 'docx',
    title: '$serial',
    username: dice.pick(['Evil $serial', '$victim.name']),
    userid: '$victim.id',
    userconnectionid: '$victim.connection',
    data: dice.pick([
      ['$trap/picture.png'],
      ['$picture'],
      ['Editor.bin', 'origin.docx', '../../$other/Editor.bin'],
    ]),
    tokenDownload: dice.pick([undefined, '$token0', '$token1', '$session']),
    password: dice.chance(0.2) ? 'x' : undefined,
  };
}

function call(dice: Dice): Sent {
  return {
    type: dice.pick([...Object.keys(rpcRights), 'saveRelativeFromChanges', 'x']),
    data: ['Editor.bin', '../../$other/Editor.bin'],
    docId: dice.pick(['$main', '$other', '$past']),
    token: dice.pick([undefined, '$token0', '$token1', '$session']),
    url: '$trap/call',
    name: 'Evil $serial',
    formdata: dice.chance(0.5) ? { field: '$serial' } : undefined,
  };
}

const commands = [
  'version',
  'license',
  'info',
  'drop',
  'saved',
  'meta',
  'forcesave',
  'getForgotten',
  'getForgottenList',
  'deleteForgotten',
];

/** A request of HTTP: its path, headers and body with every token that somebody has, for whatever they are not. */
function request(dice: Dice): Omit<Extract<Step, { do: 'ask' }>, 'do'> {
  const token = dice.pick(['$token0', '$token1', '$session', '$session', '']);
  const key = dice.pick(['$main', '$main', '$other', '$past', '$nobody']);
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    ...(dice.chance(0.7) && { authorization: `Bearer ${token}` }),
    ...foreignHost(dice),
  };
  const post = (path: string, body: unknown = '') => ({ method: 'POST', path, headers, body });
  const get = (path: string) => ({ method: 'GET', path, headers, body: undefined });
  const proxied = { ...headers, 'x-forwarded-for': dice.pick(['203.0.113.9', '127.0.0.1, 203.0.113.9']) };
  const save = encodeURIComponent(
    JSON.stringify({
      c: dice.pick(['save', 'savefromorigin']),
      outputformat: 65,
      savetype: dice.pick([undefined, 3]),
    }),
  );
  const wanted = {
    c: dice.pick(commands),
    key: '$main',
    users: ['$victim.id'],
    callback: '$trap/info',
    meta: { title: 'Evil' },
    userdata: '$serial',
  };
  const conversion = {
    url: '$trap/source.docx',
    key: '$serial',
    filetype: 'docx',
    outputtype: 'txt',
    async: false,
  };
  const admin = dice.pick([
    'documents',
    'overview',
    'saves',
    'queue',
    'nodes',
    'session',
    'configuration',
    `documents/${key}`,
  ]);
  return dice.pick([
    () => post(`/upload/${key}`, '$png'),
    () => get(`/downloadas/${key}?cmd=${save}&token=${token}`),
    () => get(`/downloadas/${key}?cmd=${save}&token=${token}`),
    () => post(`/downloadas/${key}?cmd=${save}&token=${token}`, '$serial'),
    () => get(`/downloadfile/${key}?token=${token}`),
    () =>
      post(`/downloadfile/${key}`, { token, url: dice.pick(['$trap/file.docx', '$otherSource', undefined]) }),
    () => get(`/printfile/${key}/a.pdf?token=${token}`),
    () => post(`/savefile/${key}?token=${token}`, '$serial'),
    () => post('/command', { ...wanted, token }),
    () => post('/coauthoring/CommandService.ashx', wanted),
    () => get(`/command?c=${wanted.c}&key=$main&token=${token}`),
    () => post('/converter', { ...conversion, token }),
    () => post('/ConvertService.ashx', conversion),
    () => post('/docbuilder', { url: '$trap/builder.js', key: '$serial', token }),
    () =>
      get(
        `/cache/files/data/$other/${'0'.repeat(64)}/Editor.bin/Editor.bin?md5=AAAAAAAAAAAAAAAAAAAAAA&expires=9999999999&filename=a`,
      ),
    () => ({ ...get('/info/info.json'), headers: proxied }),
    () => ({ ...post('/internal/cluster/inactive'), method: 'PUT', headers: proxied }),
    () => ({ ...post('/internal/cluster/drain'), method: dice.pick(['PUT', 'DELETE']), headers: proxied }),
    () => get(`$admin/api/${admin}`),
    () =>
      post(`$admin/api/documents/$main/${dice.pick(['force-save', 'close', 'disconnect', 'hand-back'])}`, {}),
    () => post('/hosting/wopi/word/edit?WOPISrc=$trap/wopi/files/1', 'access_token=$serial'),
    () => post('/cool/convert-to', '$serial'),
  ])();
}

/** Any route of the server, with any token in any place. */
function anyAddress(dice: Dice): Omit<Extract<Step, { do: 'ask' }>, 'do'> {
  const row = dice.pick(Object.keys(addressRights) as Address[]);
  const { shows } = addressRights[row];
  const [method, pattern] = row.split(' ') as [string, string];
  const token = dice.pick(['$token0', '$token1', '$session', '']);
  const place = dice.pick(['query', 'header', 'body'] as const);
  const path = pattern
    .replace(':key', dice.pick(['$main', '$main', '$other', '$past']))
    .replace('{/*rest}', '')
    .replaceAll(/:(\w+)/g, (_whole, name: string) => parts[name] ?? '$serial');
  return {
    row,
    method: method === 'ALL' ? 'GET' : method,
    path: place === 'query' ? `${path}?token=${token}&c=info&key=$main` : path,
    headers: {
      'content-type': 'application/json',
      ...(place === 'header' && { authorization: `Bearer ${token}` }),
      // Nobody here is on the machine itself.
      ...(shows === 'own machine' ? { 'x-forwarded-for': '203.0.113.9' } : foreignHost(dice)),
    },
    body: {
      key: '$main',
      c: 'info',
      name: '$serial',
      url: '$trap/any.docx',
      ...(place === 'body' && { token }),
    },
  };
}

/** Parts of addresses that stand for something else than a document. */
const parts: Readonly<Record<string, string>> = {
  ...{ filename: 'a.pdf', kind: 'word', mode: 'edit', extension: 'docx', target: 'docx', format: 'pdf' },
};

/** The rows of the tables of rights that a step is made from. */
export function rowsOf(step: Step): string[] {
  if (step.do === 'ask') return step.row === undefined ? [] : [step.row];
  if (step.do === 'auth') return ['auth'];
  if (step.do !== 'say') return [];
  const { type, message, data } = step.message as { type: string; message?: unknown; data?: unknown };
  const inner = [(message as Sent | undefined)?.c, (data as Sent | undefined)?.type];
  return [type, ...inner.filter((name) => typeof name === 'string').map((name) => `${type} ${name}`)];
}

/** All rows there are. */
export const allRows: readonly string[] = [
  ...Object.keys(messageRights),
  ...Object.keys(commandRights).map((name) => `openDocument ${name}`),
  ...Object.keys(rpcRights).map((name) => `rpc ${name}`),
  ...Object.keys(addressRights),
];
