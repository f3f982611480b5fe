import { limitsImageSizeBytes } from '../../client/protocol/index.ts';
import { markdownTable } from '../../platform/markdown-table.ts';

/**
 * What a caller shows:
 *
 * - `nothing`: the address tells no more than what this server is, or shows a page.
 * - `request token`: one that an integrator signed for such a request, with what it asks for.
 * - `document token`: one that an integrator signed for opening a document, or a WOPI page's.
 * - `session token`: one that this server gave to somebody in that document.
 * - `signed link`: one that this server made for that file, and that has not expired.
 * - `WOPI page token`: one that this server gave to a page of a WOPI host's file.
 * - `WOPI host`: the address of a file at a host in `WOPI_HOSTS`, and an access token that this host takes.
 * - `own machine`: that it calls from this machine.
 * - `listed address`: an address in the setting for that.
 */
export type Proof =
  | 'nothing'
  | 'request token'
  | 'document token'
  | 'session token'
  | 'signed link'
  | 'WOPI page token'
  | 'WOPI host'
  | 'own machine'
  | 'listed address';

/** What has to hold, beside, for who shows a token, and how `docs/security.md` says it. */
const meanings = {
  /** By the mode and the permissions of the session, which has not left co-editing. */
  mayEdit: 'came to edit and has not left',
  /** By `drop`, with what they held then. */
  isNotDropped: 'was not dropped',
  mayAddPictures: 'edits or reviews',
  /** Or print, where a PDF to be shown is wanted. */
  mayDownload: 'may download, or print a PDF that is shown',
  /** By the session of the token, at any node. */
  isConnected: 'is connected with the document now',
  isOpen: 'while the document is open',
  seesContent: 'has given the password of a protected document',
} as const;

export type Need = keyof typeof meanings;

/**
 * How a body is read, and its largest size, bytes, or the setting that says it. `stream`: its handler reads it, once its sender was
 * judged.
 */
export type BodyRights =
  | { readonly as: 'JSON' | 'text' | 'form'; readonly most: number }
  | { readonly as: 'stream'; readonly most: number | string };

/** What its caller shows, and what must hold for them: the guard asks it before the handler. */
type Shown =
  | { readonly shows: 'session token'; readonly needs: readonly Need[] }
  | { readonly shows: 'document token'; readonly needs: readonly ['isNotDropped'] }
  | { readonly shows: Exclude<Proof, 'session token' | 'document token'>; readonly needs?: never };

/** What may be done by one route of the server, by whom. */
export type AddressRights = Shown & {
  /** Whether `IP_FILTER` decides too who may call it, where it is used for requests (integration API, 15.2). */
  readonly callers: 'filtered' | 'any';
  /** The setting that lists the addresses. */
  readonly by?: string;
  /** What only the handler can judge, since it depends on what is asked for. */
  readonly left?: string;
  /** Where there is none, no body is read. */
  readonly body?: BodyRights;
  /** Whether its query has `cmd`, which says as JSON what is wanted and may have the token. */
  readonly hasCommand?: true;
  /** What is believed of what the caller says beside what is shown; nothing, where that is not said. */
  readonly believed?: string;
};

const megabyte = 1_048_576;
const json = { as: 'JSON', most: megabyte } as const;
const form = { as: 'form', most: megabyte } as const;

const page = { shows: 'nothing', callers: 'any' } as const;
const told = { shows: 'nothing', callers: 'filtered' } as const;
const ofMachine = { shows: 'own machine', callers: 'filtered' } as const;
const asked = {
  shows: 'request token',
  callers: 'filtered',
  left: 'what the token asks for; how a refusal is told',
} as const;
const askedWithBody = { ...asked, body: json } as const;
const conversion = {
  ...askedWithBody,
  left: 'what the token asks for; how a refusal is told; room in the queue',
} as const;
const download = {
  shows: 'session token',
  callers: 'any',
  hasCommand: true,
  needs: ['mayDownload', 'isNotDropped', 'isConnected'],
  left: 'the password of a protected document, since what lacks it is an error of the download',
  believed: 'the format, as a wish',
} as const;
const storedFile = {
  shows: 'document token',
  callers: 'any',
  needs: ['isNotDropped'],
  left: 'which addresses the token names, and whether it lets its holder download them',
  believed: 'the address, where the token names it',
} as const;
const ofHost = {
  shows: 'WOPI host',
  callers: 'filtered',
  left: 'all of it: a page tells why it is not shown. What the host says of the person and the file decides',
  believed: 'the address of the file, where a host has it; the access token, by the host',
} as const;
const ofPage = {
  shows: 'WOPI page token',
  callers: 'filtered',
  left: 'whether the host lets the person',
  body: { as: 'JSON', most: 65_536 },
  believed: 'the name, as a wish',
} as const;
const convertTo = {
  shows: 'listed address',
  callers: 'filtered',
  by: '`WOPI_CONVERT_FROM`',
  left: 'room in the queue',
  body: { as: 'stream', most: '`MAX_DOWNLOAD_SIZE_BYTES`, and 1048576 for the form' },
  believed: 'the file and the formats, for its sender alone',
} as const;

/**
 * The rights of every route of the server, by its method and its path as the router has it: `Routes` registers nothing else, asks
 * the row before the handler, and reads no larger body. `ALL` is everything below a path. The administration has a port and a
 * list of its own; the example is another application.
 */
export const addressRights = {
  'ALL /cache/files': { shows: 'signed link', callers: 'any' },
  'GET /metrics': { shows: 'listed address', callers: 'filtered', by: '`METRICS_ALLOW_FROM`' },
  'GET /': page,
  'GET /welcome/': page,
  'GET /index.html': page,
  'GET /robots.txt': page,
  'GET /baseurl': page,
  'GET /plugins.json': page,
  'GET /themes.json': page,
  'POST /dummyCallback': page,
  'GET /meta/formats': page,
  'GET /meta/config': page,
  'GET /healthcheck': told,
  'GET /healthcheck/ready': told,
  'GET /healthcheck/live': told,
  'GET /info/info.json': ofMachine,
  'GET /internal/cluster/inactive': ofMachine,
  'PUT /internal/cluster/inactive': ofMachine,
  'DELETE /internal/cluster/inactive': ofMachine,
  'PUT /internal/cluster/pre-stop': ofMachine,
  'DELETE /internal/cluster/pre-stop': ofMachine,
  'GET /internal/cluster/drain': ofMachine,
  'PUT /internal/cluster/drain': ofMachine,
  'DELETE /internal/cluster/drain': ofMachine,
  'GET /internal/cluster/ready': ofMachine,
  'GET /internal/connections/edit': ofMachine,
  'ALL /internal': ofMachine,
  'POST /command': askedWithBody,
  'GET /command': asked,
  'POST /coauthoring/CommandService.ashx': askedWithBody,
  'GET /coauthoring/CommandService.ashx': asked,
  'POST /converter': conversion,
  'POST /ConvertService.ashx': conversion,
  'GET /ConvertService.ashx': conversion,
  'POST /docbuilder': {
    ...asked,
    left: 'nothing: it is answered that there is no such service',
    body: { as: 'text', most: megabyte },
  },
  'POST /upload/:key{/*rest}': {
    shows: 'session token',
    callers: 'any',
    needs: ['mayEdit', 'isNotDropped', 'mayAddPictures', 'isOpen', 'seesContent'],
    left: 'four at once of a session; how many pictures a document and a person may have',
    body: { as: 'stream', most: limitsImageSizeBytes },
    believed: 'the bytes, as content, where they are a picture',
  },
  'POST /savefile/:key': {
    shows: 'session token',
    callers: 'any',
    hasCommand: true,
    needs: ['mayEdit', 'isNotDropped'],
    left: 'nothing: it is answered that there are no such documents',
  },
  'GET /downloadas/:key': download,
  'POST /downloadas/:key': {
    ...download,
    body: { as: 'stream', most: '`MAX_DOWNLOAD_SIZE_BYTES`' },
    believed: 'the format, as a wish; the file that an editor sends, for its sender alone',
  },
  'GET /downloadfile/:key': storedFile,
  'POST /downloadfile/:key': { ...storedFile, body: json },
  'GET /printfile/:key/:filename': { shows: 'signed link', callers: 'any' },
  'GET /hosting/discovery': told,
  'GET /hosting/capabilities': told,
  'GET /hosting/icons/:name': told,
  'GET /hosting/wopi/convert-and-edit/:extension/:target': ofHost,
  'POST /hosting/wopi/convert-and-edit/:extension/:target': { ...ofHost, body: form },
  'GET /hosting/wopi/convert-and-edit-handler': { shows: 'WOPI page token', callers: 'filtered' },
  'POST /hosting/wopi/rename': ofPage,
  'POST /hosting/wopi/save-as': {
    ...ofPage,
    believed: 'the name, as a wish; the link to a file, if it is signed',
  },
  'GET /hosting/wopi/:kind/:mode': ofHost,
  'POST /hosting/wopi/:kind/:mode': { ...ofHost, body: form },
  'POST /lool/convert-to': convertTo,
  'POST /lool/convert-to/:format': convertTo,
  'POST /cool/convert-to': convertTo,
  'POST /cool/convert-to/:format': convertTo,
  'ALL /web-apps/apps/quire/admin': page,
  'ALL /web-apps/apps/quire': page,
  'ALL /web-apps/apps/api/documents': page,
  'ALL /web-apps/apps/quire/api/documents': page,
  'GET /web-apps/apps/:editor/:folder/:page': page,
  'GET /document_editor_service_worker.js': page,
  'ALL /web-apps': page,
  'ALL /sdkjs': page,
  'ALL /sdkjs-plugins': page,
  'ALL /fonts': page,
  'ALL /dictionaries': page,
} as const satisfies Readonly<
  Record<`${'ALL' | 'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`, AddressRights>
>;

/** A route: its method and its path. */
export type Address = keyof typeof addressRights;

/** Where the paths begin whose callers are filtered. */
export const filteredPaths: readonly string[] = [
  ...new Set(
    Object.entries<AddressRights>(addressRights)
      .filter(([, { callers }]) => callers === 'filtered')
      .map(([address]) => /\/[^:{]*(?<!\/)/.exec(address)![0]),
  ),
];

/** What the caller of a route shows. */
export type ProofOf<Route extends Address> = (typeof addressRights)[Route]['shows'];

/** The rights of addresses in Markdown, for `docs/security.md`. */
export const printedAddresses = (): string =>
  markdownTable(
    [
      'route',
      'its caller shows',
      '`IP_FILTER`',
      'who',
      'largest body, bytes',
      'left to its handler',
      'what else is believed',
    ],
    Object.entries<AddressRights>(addressRights).map(([address, rights]) => [
      `\`${address}\``,
      [rights.shows, rights.by].filter(Boolean).join(', '),
      rights.callers === 'filtered' ? 'asked' : '',
      (rights.needs ?? []).map((need) => meanings[need]).join(', '),
      rights.body ? `${rights.body.as}, ${rights.body.most}` : 'none',
      rights.left ?? '',
      rights.believed ?? 'nothing',
    ]),
  );
