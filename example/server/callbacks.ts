import type { Logger } from 'pino';
import { z } from 'zod';
import { CallbackStatus } from '../../client/protocol/index.ts';
import type { NamedPerson } from '../api.ts';
import type { Activity } from './activity.ts';
import type { DocumentServer } from './document-server.ts';
import type { DocumentStore, ExampleLimits } from './document-store.ts';
import { personOf } from './people.ts';
import type { DocumentRecord } from './records.ts';
import { Refusal } from './refusal.ts';
import type { Signature } from './signature.ts';

const change = z.object({ user: z.object({ id: z.string(), name: z.string() }) });

const callbackBody = z.object({
  key: z.string(),
  status: z.int(),
  url: z.string().optional(),
  filetype: z.string().optional(),
  changesurl: z.string().optional(),
  history: z
    .object({ serverVersion: z.string().optional(), changes: z.array(z.looseObject({})).nullish() })
    .optional(),
  users: z.array(z.string()).optional(),
  lastsave: z.string().optional(),
});
type CallbackBody = z.infer<typeof callbackBody>;

interface CallbackDependencies {
  store: DocumentStore;
  activity: Activity;
  documentServer: DocumentServer;
  signature: Signature;
  limits: ExampleLimits;
  /** Who edits a document is different now. */
  onActivity: (id: string) => void;
  log: Logger;
}

/**
 * What the document server reports (integration API, section 7). Only its own reports count: the claims of the token in
 * the body, which is signed with the shared secret. A report is answered with success when what it brought is stored;
 * otherwise the document server keeps the work and reports again.
 */
export class Callbacks {
  readonly #deps: CallbackDependencies;

  constructor(dependencies: CallbackDependencies) {
    this.#deps = dependencies;
  }

  /** @throws Refusal when the report is forged or malformed, or its file cannot be had */
  async receive(id: string, given: unknown): Promise<void> {
    const claims = await this.#deps.signature.verify((given as { token?: unknown } | null)?.token);
    if (!claims) throw new Refusal('not-allowed', 'The callback carries no valid token.');
    const parsed = callbackBody.safeParse(claims);
    if (!parsed.success) throw new Refusal('bad-request', 'The callback is malformed.');
    const body = parsed.data;
    const record = this.#deps.store.find(id);
    const session = [record.session, ...record.pastSessions].find(({ key }) => key === body.key);
    if (!session)
      throw new Refusal('bad-request', 'The callback is about a key that this document never had.');
    await this.#act(record, session.baseVersion, body);
  }

  async #act(record: DocumentRecord, baseVersion: number, body: CallbackBody): Promise<void> {
    const { store, activity, onActivity, log } = this.#deps;
    const { key, status, users = [] } = body;
    const entry = { at: new Date().toISOString(), status, users };
    try {
      const version = await this.#store(record, baseVersion, body);
      const problem = problemOf(status);
      await store.noteCallback(record.id, {
        ...entry,
        ...(version && { version }),
        ...(problem && { problem }),
      });
    } catch (error) {
      const problem = error instanceof Refusal ? error.message : 'The version could not be stored.';
      await store.noteCallback(record.id, { ...entry, problem });
      throw error;
    }
    // Somebody who was away for long may use a key of the past: that is not the document as it is now.
    if (key === record.session.key || status !== CallbackStatus.editing)
      activity.note(record.id, key, status, users);
    onActivity(record.id);
    log.debug({ documentId: record.id, status }, 'The example took a callback');
  }

  /** Stores the version that a report brings. Resolves with its number, or undefined when the report has none. */
  async #store(record: DocumentRecord, baseVersion: number, body: CallbackBody): Promise<number | undefined> {
    const { key, status, url, changesurl, history, lastsave } = body;
    if (status !== CallbackStatus.mustSave && status !== CallbackStatus.forceSaved) return undefined;
    if (url === undefined) throw new Refusal('bad-request', 'The callback names no file.');
    const { store, documentServer, limits } = this.#deps;
    const [bytes, changes] = await Promise.all([
      documentServer.download(url, limits.maxFileBytes),
      // What changed is good to have; the text is what must not be lost.
      changesurl && documentServer.download(changesurl, limits.maxFileBytes).catch(() => undefined),
    ]);
    const late = key !== record.session.key;
    const { version } = await store.addVersion(
      record.id,
      {
        origin: late ? 'late' : status === CallbackStatus.forceSaved ? 'forced' : 'saved',
        fileType: body.filetype ?? record.fileType,
        bytes,
        people: authorsOf(body),
        session: { key, baseVersion, ...(lastsave && { lastSave: lastsave }) },
        ...(changes && { changes }),
        ...(history && { history }),
      },
      // A forced save goes on under the same key; after the last one the next opening is a new session.
      { endsSession: status === CallbackStatus.mustSave },
    );
    return version.number;
  }
}

function problemOf(status: number): string | undefined {
  if (status === CallbackStatus.corrupted)
    return 'The document server could not make the file; it keeps the work.';
  if (status === CallbackStatus.forceSaveFailed) return 'The document server could not save in between.';
  return undefined;
}

/** Everybody whose changes are in the saved file, the last one last. */
function authorsOf({ history, users = [] }: CallbackBody): NamedPerson[] {
  const authors = new Map<string, NamedPerson>();
  for (const one of history?.changes ?? []) {
    const parsed = change.safeParse(one);
    if (!parsed.success) continue;
    const { id, name } = parsed.data.user;
    authors.delete(id);
    authors.set(id, { id, name });
  }
  if (authors.size === 0) for (const id of users) authors.set(id, { id, name: personOf(id)?.name ?? id });
  return [...authors.values()];
}
