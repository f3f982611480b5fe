import { buildDocx } from '../docx-fixture.ts';
import { eventually } from '../eventually.ts';
import { randomFrom } from '../fault-random.ts';
import type { Sent } from '../raw-client.ts';
import { saveMessage } from '../saving.ts';
import type { SeenRequest, WopiOperation } from '../wopi-host.ts';
import { openWopiPage, type WopiPage } from '../wopi-page.ts';
import { textOfDocx } from '../wopi-scene.ts';
import { type Breach, secretOf } from './judge.ts';
import { Line } from './line.ts';
import type { RightsWorld } from './world.ts';

/** What a WOPI host lets people do, as members of CheckFileInfo. */
const roles = {
  writer: {
    UserCanWrite: true,
    SupportsUpdate: true,
    SupportsLocks: true,
    SupportsRename: true,
    UserCanRename: true,
  },
  reader: { UserCanWrite: false, SupportsUpdate: true, SupportsLocks: true, SupportsRename: true },
  kept: { UserCanWrite: false, SupportsLocks: true, DisableExport: true, DisablePrint: true },
  alone: { UserCanWrite: true, SupportsUpdate: true, SupportsLocks: true, UserCanNotWriteRelative: true },
} as const;
type Role = keyof typeof roles;

/** Requests that change something at the host, by who may have them made. */
const changing: Readonly<Partial<Record<WopiOperation, (role: Role, mode: string) => boolean>>> = {
  LOCK: (role, mode) => roles[role].UserCanWrite && mode === 'edit',
  PUT: (role, mode) => roles[role].UserCanWrite && mode === 'edit',
  RENAME_FILE: (role) => role === 'writer',
  PUT_RELATIVE: (role) => !('UserCanNotWriteRelative' in roles[role]),
};

const typed = 'typed by ';

export interface WopiOutcome {
  /** Whether what was typed came to the host. */
  readonly isStored: boolean;
  readonly breaches: readonly Breach[];
}

/**
 * Somebody opens the page of a file at a WOPI host and does with its token whatever they like: as an editor, for another
 * document, with addresses of their own. What the host is asked for, and what becomes of its files, is judged by what the
 * host said of them.
 */
export async function playWopi(world: RightsWorld, name: string, seed: number): Promise<WopiOutcome> {
  const random = randomFrom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const { host, listeners } = world;
  const role = pick(Object.keys(roles) as Role[]);
  const [own, others] = ['own', 'others'].map((which) =>
    host.add(`${name}-${which}`, buildDocx({ paragraphs: [secretOf(`${name}-${which}`)] })),
  );
  const tokens = { own: host.person(name, roles[role]), others: host.person(`${name}-owner`, roles.writer) };
  const node = pick(world.nodes).address;
  const open = (id: string, token: string, mode: string) =>
    openWopiPage(node, host.sourceOf(id), token, { mode });
  const mode = pick(['edit', 'edit', 'view']);
  const page = await open(own!.id, tokens.own, mode);
  const foreign = await open(others!.id, tokens.others, 'edit');
  const visit = { page, foreign, trap: listeners.trap(name), typed: typed + name, seed };
  const heard: string[] = [];
  const rounds = 1 + Math.floor(random() * 3);
  for (let round = 0; round < rounds; round += 1) {
    if (random() < 0.4) heard.push(await ask(node, requestOf(visit, pick(requests))));
    else await enter(node, visit, random);
  }
  const mayWrite = roles[role].UserCanWrite && mode === 'edit';
  await left(world, page.key);
  const rows = [...(await world.takeRows(page.key)), ...(await world.takeRows(foreign.key))];
  const breaches = [
    ...rows
      .filter(
        ({ table, op, row }) => table === 'batches' && op === 'INSERT' && !(mayWrite && row.key === page.key),
      )
      .map(({ row }): Breach => ({ kind: 'log', what: `${role} in mode ${mode} wrote into ${row.key}` })),
    ...host.requests
      .filter(({ fileId }) => fileId === own!.id)
      .flatMap((one) => judgeRequest(one, tokens.own, role, mode)),
    ...host.requests
      .filter(({ fileId, token }) => fileId === others!.id && token !== tokens.others)
      .map((one): Breach => ({ kind: 'fetch', what: `${one.operation} of another file by ${role}'s token` })),
    ...judgeFile(others!.bytes, others!.id, others!.version, false),
    ...judgeFile(own!.bytes, own!.id, own!.version, mayWrite),
    ...heard
      .filter((body) => body.includes(secretOf(others!.id)))
      .map((): Breach => ({ kind: 'leak', what: `${role} read another file` })),
    ...listeners
      .takeTrapped(name)
      .map((path): Breach => ({ kind: 'fetch', what: `the trap was asked for ${path}` })),
  ];
  const isStored = textOfDocx(own!.bytes).includes(typed);
  for (const { id } of [own!, others!]) host.remove(id);
  return { isStored, breaches };
}

interface Visit {
  readonly page: WopiPage;
  /** Somebody else's page for another file; of it only the key is known to the visitor. */
  readonly foreign: WopiPage;
  readonly trap: string;
  readonly typed: string;
  readonly seed: number;
}

/** Signs in by the token of the page, and saves. */
async function enter(address: string, { page, foreign, trap, typed, seed }: Visit, random: () => number) {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const key = pick([page.key, page.key, page.key, foreign.key]);
  const line = await Line.open({
    ...{ address, key, transport: pick(['socket.io', 'plain'] as const) },
    ...{ handshake: { token: page.token }, headers: {} },
  });
  if (!line) return;
  const { user } = page.config.editorConfig;
  const honest: Sent = {
    ...{ type: 'auth', docid: page.key, token: 'a constant', jwtOpen: page.token },
    ...{ mode: page.config.editorConfig.mode, permissions: page.config.document.permissions },
    ...{ user: { id: user.id, username: user.name, indexUser: -1 }, documentCallbackUrl: '' },
    ...{ editorType: 0, lastOtherSaveTime: -1, block: [], sessionId: null, coEditingMode: 'fast' },
    openCmd: { c: 'open', id: page.key, format: 'docx', url: `${address}/`, title: 'a.docx', model: 'word' },
  };
  const twisted: Sent[] = [
    { mode: 'edit', permissions: { edit: true } },
    { mode: 'edit', permissions: undefined },
    { docid: foreign.key, openCmd: { ...(honest.openCmd as object), id: foreign.key } },
    { documentCallbackUrl: `${trap}/callback` },
    { openCmd: { ...(honest.openCmd as object), url: `${trap}/file` } },
    { user: { id: foreign.config.editorConfig.user.id, username: 'Owner', indexUser: -1 } },
    { isCloseCoAuthoring: false, mode: 'fillForms' },
  ];
  line.say({ ...honest, ...(random() < 0.4 ? {} : pick(twisted)) });
  await line.until(() => line.hears('documentOpen') || line.hears('disconnectReason') || line.hears('error'));
  const slice = { content: [{ type: 'text', text: typed }] };
  const change = JSON.stringify({
    c: `wopi-${seed}`,
    n: 0,
    s: { stepType: 'replace', from: 1, to: 1, slice },
  });
  line.say({ type: 'isSaveLock', syncChangesIndex: 0 });
  await line.settle();
  line.say(saveMessage([change]));
  await line.settle();
  line.leave();
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** What somebody asks for with the token of a page beside the protocol. */
const requests = ['rename', 'save-as', 'downloadfile', 'downloadas', 'upload', 'command'] as const;

function requestOf({ page, foreign, trap, typed }: Visit, which: (typeof requests)[number]): Asked {
  const { token } = page;
  const post = (path: string, body: unknown): Asked => ({ method: 'POST', path, body });
  switch (which) {
    case 'rename':
      return post('/hosting/wopi/rename', { token, name: typed });
    case 'save-as':
      return post('/hosting/wopi/save-as', { token, title: `${typed}.docx`, url: `${trap}/file` });
    case 'downloadfile':
      return post(`/downloadfile/${foreign.key}`, { token, url: `${trap}/file` });
    case 'downloadas': {
      const cmd = { c: 'save', id: foreign.key, outputformat: 65, title: 'a.docx', tokenDownload: token };
      return post(`/downloadas/${foreign.key}?cmd=${encodeURIComponent(JSON.stringify(cmd))}`, '');
    }
    case 'upload':
      return post(`/upload/${foreign.key}?token=${token}`, 'x');
    case 'command':
      return post('/command', { c: 'drop', key: foreign.key, token });
  }
}

async function ask(address: string, { method, path, body }: Asked): Promise<string> {
  const response = await fetch(address + path, {
    ...{ method, headers: { 'content-type': 'application/json' } },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return response.text();
}

/** Waits until nothing of a document is under way any more. */
async function left(world: RightsWorld, key: string): Promise<void> {
  await eventually(
    () => world.isUnderWay(key),
    (is) => !is,
  );
}

function judgeRequest({ operation, token }: SeenRequest, own: string, role: Role, mode: string): Breach[] {
  if (token !== own) return [{ kind: 'fetch', what: `${operation} by a token that nobody gave` }];
  if (changing[operation]?.(role, mode) !== false) return [];
  return [{ kind: 'command', what: `the host was asked for ${operation} by ${role} in mode ${mode}` }];
}

/** Of a file that somebody may not write nothing is different, whatever they were told. */
function judgeFile(bytes: Uint8Array, id: string, version: number, mayChange: boolean): Breach[] {
  const text = textOfDocx(bytes);
  if (!text.includes(secretOf(id))) return [{ kind: 'log', what: `${id} has lost its text` }];
  if (mayChange || (version === 1 && !text.includes(typed))) return [];
  return [{ kind: 'log', what: `${id} was written by somebody who may not` }];
}
