import type { Router } from 'express';
import { markdownTable } from '../../platform/markdown-table.ts';

/**
 * What a caller shows:
 *
 * - `nothing`: the address tells no more than what this server is, or shows a page.
 * - `request token`: one that an integrator signed for such a request, with what it asks for.
 * - `document token`: one that an integrator signed for opening that document, and that has not been taken back by `drop`.
 * - `session token`: one that this server gave to somebody in that document.
 * - `signed link`: one that this server made for that file, and that has not expired.
 * - `WOPI page token`: one that this server gave to a page of a WOPI host's file.
 * - `WOPI host`: that it is, or leads to, a host in `WOPI_HOSTS`.
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

/** What stands behind an address of the server. */
export interface AddressRights {
  readonly methods: string;
  readonly shows: Proof;
  /** What that has to grant, beside. */
  readonly grants: string;
  /** Largest body that is read, bytes; 0: none. */
  readonly bodyBytes: number;
  /** What is believed of what the caller says beside that. */
  readonly believed: string;
}

const megabyte = 1_048_576;

const told = (methods = 'GET'): AddressRights => ({
  methods,
  shows: 'nothing',
  grants: '',
  bodyBytes: 0,
  believed: 'nothing',
});
const signed = (believed: string, methods = 'POST'): AddressRights => ({
  methods,
  shows: 'request token',
  grants: 'what the token says is asked for',
  bodyBytes: megabyte,
  believed,
});
const ofMachine = (methods: string): AddressRights => ({
  methods,
  shows: 'own machine',
  grants: '',
  bodyBytes: 0,
  believed: 'nothing',
});
const ofHost = (methods: string, bodyBytes: number): AddressRights => ({
  methods,
  shows: 'WOPI host',
  grants: 'what the host says of the person and the file',
  bodyBytes,
  believed: 'the address of the file, where a host has it; the access token, by the host',
});
const ofPage = (grants: string): AddressRights => ({
  methods: 'POST',
  shows: 'WOPI page token',
  grants,
  bodyBytes: 65_536,
  believed: 'the name, as a wish',
});

/** The rights of every address of the server, as its router has it; the administration has a port and a list of its own. */
export const addressRights: Readonly<Record<string, AddressRights>> = {
  '/': told(),
  '/welcome/': told(),
  '/index.html': told(),
  '/robots.txt': told(),
  '/baseurl': told(),
  '/plugins.json': told(),
  '/themes.json': told(),
  '/document_editor_service_worker.js': told(),
  '/dummyCallback': told('POST'),
  '/meta/formats': told(),
  '/meta/config': told(),
  '/healthcheck': told(),
  '/healthcheck/ready': told(),
  '/healthcheck/live': told(),
  '/hosting/discovery': told(),
  '/hosting/capabilities': told(),
  '/hosting/icons/:name': told(),
  '/metrics': { ...told(), shows: 'listed address' },
  '/info/info.json': ofMachine('GET'),
  '/internal/cluster/inactive': ofMachine('GET, PUT, DELETE'),
  '/internal/cluster/pre-stop': ofMachine('PUT, DELETE'),
  '/internal/cluster/drain': ofMachine('GET, PUT, DELETE'),
  '/internal/cluster/ready': ofMachine('GET'),
  '/internal/connections/edit': ofMachine('GET'),
  '/command': signed('nothing', 'GET, POST'),
  '/coauthoring/CommandService.ashx': signed('nothing', 'GET, POST'),
  '/converter': signed('nothing'),
  '/ConvertService.ashx': signed('nothing', 'GET, POST'),
  '/docbuilder': signed('nothing: it is answered that there is no such service'),
  '/upload/:key{/*rest}': {
    methods: 'POST',
    shows: 'session token',
    grants: 'editing or reviewing, and the password of a protected document',
    bodyBytes: 25 * megabyte,
    believed: 'the bytes, as content, where they are a picture',
  },
  '/savefile/:key': {
    methods: 'POST',
    shows: 'session token',
    grants: 'editing',
    bodyBytes: 0,
    believed: 'nothing: it is answered that there are no such documents',
  },
  '/downloadas/:key': {
    methods: 'GET, POST',
    shows: 'session token',
    grants: 'downloading, and the password of a protected document',
    bodyBytes: 100 * megabyte,
    believed: 'the format, as a wish; the file that an editor sends, for its sender alone',
  },
  '/downloadfile/:key': {
    methods: 'GET, POST',
    shows: 'document token',
    grants: 'downloading',
    bodyBytes: megabyte,
    believed: 'the address, where the token names it',
  },
  '/printfile/:key/:filename': {
    methods: 'GET',
    shows: 'signed link',
    grants: '',
    bodyBytes: 0,
    believed: 'nothing',
  },
  '/hosting/wopi/:kind/:mode': ofHost('GET, POST', megabyte),
  '/hosting/wopi/convert-and-edit/:extension/:target': ofHost('GET, POST', megabyte),
  '/hosting/wopi/convert-and-edit-handler': ofHost('GET', 0),
  '/lool/convert-to': ofHost('POST', 101 * megabyte),
  '/lool/convert-to/:format': ofHost('POST', 101 * megabyte),
  '/cool/convert-to': ofHost('POST', 101 * megabyte),
  '/cool/convert-to/:format': ofHost('POST', 101 * megabyte),
  '/hosting/wopi/rename': ofPage('renaming, by the host'),
  '/hosting/wopi/save-as': ofPage('making files beside it, by the host'),
};

/** A part of a router of Express that is given a path. */
interface RouterLayer {
  route?: { path: unknown };
  handle?: { stack?: readonly RouterLayer[] };
}

/** The addresses that routers have, but those of files and pages, which stand behind patterns or folders. */
function addressesOf(routers: readonly Router[]): string[] {
  const addresses: string[] = [];
  const look = (layers: readonly RouterLayer[]): void => {
    for (const { route, handle } of layers) {
      if (route) addresses.push(...[route.path].flat().filter((path) => typeof path === 'string'));
      else look(handle?.stack ?? []);
    }
  };
  for (const { stack } of routers) look(stack as readonly RouterLayer[]);
  return addresses;
}

/** Makes sure that the rights of every address have been said. @throws Error where they have not: no server starts with it */
export function knowRightsOf(routers: readonly Router[]): void {
  const forgotten = addressesOf(routers).filter((address) => !Object.hasOwn(addressRights, address));
  if (forgotten.length > 0)
    throw new Error(`No rights are said of ${forgotten.join(', ')} (address-rights.ts)`);
}

/** The rights of addresses in Markdown, for `docs/security.md`. */
export const printedAddresses = (): string =>
  markdownTable(
    ['address', 'methods', 'its caller shows', 'largest body, bytes', 'what else is believed'],
    Object.entries(addressRights).map(([address, { methods, shows, grants, bodyBytes, believed }]) => [
      `\`${address}\``,
      methods,
      [shows, grants].filter(Boolean).join(', for '),
      String(bodyBytes),
      believed,
    ]),
  );
