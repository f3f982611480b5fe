import { SignJWT } from 'jose';
import type { Sent } from '../raw-client.ts';

/** The documents of a stage, by what they are to whoever plays on it. `nobody` is named by no token. */
export const documentNames = ['main', 'other', 'past', 'nobody'] as const;
export type DocumentName = (typeof documentNames)[number];

/** What the documents of a stage are: which file, which editors, and the model that their pages name, if any. */
export const stageKinds = {
  word: { fileType: 'docx', editorType: 0, model: 'word' },
  cell: { fileType: 'xlsx', editorType: 1, model: 'cell' },
  /** Editors of others, whose changes the server cannot read. */
  text: { fileType: 'docx', editorType: 0, model: undefined },
  /** The same, whose locks are of cells. */
  sheet: { fileType: 'xlsx', editorType: 1, model: undefined },
} as const;
export type StageKind = (typeof stageKinds)[keyof typeof stageKinds];

/** What an integrator's token makes of its holder. */
export const roles = {
  editor: { mode: 'edit', permissions: { edit: true } },
  viewer: { mode: 'view', permissions: { edit: true } },
  reader: { mode: 'edit', permissions: { edit: false, review: false, comment: false, fillForms: false } },
  commenter: { mode: 'edit', permissions: { edit: false, comment: true } },
  reviewer: { mode: 'edit', permissions: { edit: false, review: true } },
  filler: { mode: 'edit', permissions: { edit: false, fillForms: true } },
  quiet: { mode: 'edit', permissions: { edit: true, chat: false } },
  kept: { mode: 'view', permissions: { edit: false, download: false, print: false } },
  /** Everything but protecting and filtering. */
  keeper: { mode: 'edit', permissions: { edit: true, protect: false, modifyFilter: false } },
  keptEditor: { mode: 'edit', permissions: { edit: true, download: false, print: false } },
} as const;
export type RoleName = keyof typeof roles;

/** A token that somebody is given. */
export type Holding =
  | { kind: 'opening'; role: RoleName; document: DocumentName; isNamed: boolean }
  | { kind: 'history'; document: DocumentName; previous: DocumentName | null }
  | { kind: 'picture' };

/** What a token grants, told from what was signed and from nothing of the server. */
export interface Grant {
  readonly token: string;
  readonly key: string | null;
  /** Documents that it opens for reading. */
  readonly reads: readonly string[];
  readonly writes: boolean;
  readonly download: boolean;
  readonly chat: boolean;
  /** Null: the token says nothing of who holds it. */
  readonly userId: string | null;
  readonly userName: string | null;
  readonly callbackUrl: string | null;
  /** Addresses of the document's file. */
  readonly sources: readonly string[];
  /** Addresses of what a token of old versions shows. */
  readonly oldSources: readonly string[];
}

/** Where tokens lead: addresses of the integrator, which nothing else names. */
export interface Addresses {
  source(key: string, serial: string): string;
  callback(key: string, serial: string): string;
  picture(serial: string): string;
}

/** Somebody with tokens. `serial` is in everything that they send and that their tokens name. */
export class Holder {
  readonly serial: string;
  readonly userId: string;
  readonly userName: string;
  readonly grants: Grant[] = [];

  constructor(serial: string) {
    this.serial = serial;
    this.userId = `user-${serial}`;
    this.userName = `Name of ${serial}`;
  }

  on(key: string): readonly Grant[] {
    return this.grants.filter((grant) => grant.key === key);
  }

  reads(key: string): boolean {
    return this.grants.some((grant) => grant.reads.includes(key));
  }

  writes(key: string): boolean {
    return this.on(key).some((grant) => grant.writes);
  }

  downloads(key: string): boolean {
    return this.grants.some((grant) => grant.reads.includes(key) && grant.download);
  }

  chats(key: string): boolean {
    return this.grants.some((grant) => grant.reads.includes(key) && grant.chat);
  }

  /** Whether some token lets the page say who its holder is. */
  isNameless(key: string): boolean {
    return this.grants.some((grant) => grant.reads.includes(key) && grant.userId === null);
  }
}

/** The age of tokens when they are used, seconds: what was signed before somebody is dropped is told from what was after. */
const ageS = 600;

export const sign = (claims: Sent, secret: string, issuedAgoS = ageS): Promise<string> =>
  new SignJWT({ ...claims, iat: Math.floor(Date.now() / 1_000) - issuedAgoS })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(Buffer.from(secret));

/** The claims of a token, and what they grant. */
export function grantOf(
  holding: Holding,
  { serial, userId, userName }: Pick<Holder, 'serial' | 'userId' | 'userName'>,
  keyOf: (name: DocumentName) => string,
  addresses: Addresses,
  fileType = 'docx',
): { claims: Sent; grant: Omit<Grant, 'token'> } {
  switch (holding.kind) {
    case 'opening': {
      const { mode, permissions } = roles[holding.role];
      const key = keyOf(holding.document);
      const [url, callbackUrl] = [addresses.source(key, serial), addresses.callback(key, serial)];
      const rights: Readonly<Record<string, boolean>> = permissions;
      const canChange = ['edit', 'review', 'comment', 'fillForms'].some((right) => rights[right] === true);
      return {
        claims: {
          document: { key, url, fileType, title: `a.${fileType}`, permissions },
          editorConfig: {
            mode,
            callbackUrl,
            ...(holding.isNamed && { user: { id: userId, name: userName } }),
          },
        },
        grant: {
          key,
          reads: [key],
          writes: mode === 'edit' && canChange,
          download: rights.download !== false,
          chat: rights.chat !== false,
          userId: holding.isNamed ? userId : null,
          userName: holding.isNamed ? userName : null,
          callbackUrl,
          sources: [url],
          oldSources: [],
        },
      };
    }
    case 'history': {
      const names = [holding.document, ...(holding.previous ? [holding.previous] : [])];
      const [current, previous] = names.map((name) => {
        const key = keyOf(name);
        return { key, url: addresses.source(key, `${serial}-history`) };
      });
      return {
        claims: { version: 2, ...current, ...(previous && { previous }) },
        grant: {
          ...{ key: current!.key, reads: names.map(keyOf), writes: false, download: false, chat: false },
          ...{ userId: null, userName: null, callbackUrl: null, sources: [] },
          oldSources: previous ? [current!.url, previous.url] : [current!.url],
        },
      };
    }
    case 'picture':
      return {
        claims: { c: 'add', images: [{ fileType: 'png', url: addresses.picture(serial) }] },
        grant: {
          ...{ key: null, reads: [], writes: false, download: false, chat: false },
          ...{ userId: null, userName: null, callbackUrl: null, sources: [], oldSources: [] },
        },
      };
  }
}
