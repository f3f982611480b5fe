import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import type { NamedPerson, VersionOrigin } from '../api.ts';
import { checkContent } from './file-kinds.ts';
import {
  type Callback,
  type DocumentRecord,
  documentRecord,
  documentTitle,
  latest,
  newKey,
  type Version,
} from './records.ts';
import { Refusal } from './refusal.ts';

const recordFile = 'document.json';
const keptSessions = 100;
const keptCallbacks = 50;

interface NewDocument {
  title: string;
  fileType: string;
  bytes: Uint8Array;
  by: NamedPerson;
  origin: VersionOrigin;
}

/** Content for a further version. */
interface NewContent extends Pick<Version, 'origin' | 'people' | 'restoredFrom' | 'session' | 'history'> {
  fileType: string;
  bytes: Uint8Array;
  changes?: Uint8Array;
}

/**
 * The documents of the example: a directory each, with its versions as plain files and what is known of it in
 * `document.json`. All records are held in memory; an id or version that is not in them names nothing, whatever it says.
 * A record is written after the files it names, so one that can be read is complete.
 */
export class DocumentStore {
  readonly #directory: string;
  readonly #limits: ExampleLimits;
  readonly #records: Map<string, DocumentRecord>;
  readonly #mutex = new KeyedMutex();
  readonly #onChange: (id: string) => void;

  private constructor(
    directory: string,
    limits: ExampleLimits,
    records: Map<string, DocumentRecord>,
    onChange: (id: string) => void,
  ) {
    this.#directory = directory;
    this.#limits = limits;
    this.#records = records;
    this.#onChange = onChange;
  }

  /** Reads what the directory holds; a damaged record is passed over and left as it is. */
  static async open(
    directory: string,
    limits: ExampleLimits,
    onChange: (id: string) => void,
    log: Logger,
  ): Promise<DocumentStore> {
    await mkdir(directory, { recursive: true });
    const records = new Map<string, DocumentRecord>();
    for (const entry of await readdir(directory, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      try {
        const content = await readFile(path.join(directory, entry.name, recordFile), 'utf8');
        const record = documentRecord.parse(JSON.parse(content));
        if (record.id === entry.name) records.set(record.id, record);
      } catch (error) {
        log.warn({ err: error, directory: entry.name }, 'A document of the example cannot be read');
      }
    }
    const store = new DocumentStore(directory, limits, records, onChange);
    await store.#purge();
    return store;
  }

  /** Documents that are not deleted, the one saved last first. */
  list(): DocumentRecord[] {
    return [...this.#records.values()]
      .filter(({ deletedAt }) => deletedAt === undefined)
      .sort((a, b) => latest(b).savedAt.localeCompare(latest(a).savedAt));
  }

  /** A document, also a deleted one that can still be brought back. @throws Refusal when there is none */
  find(id: string): DocumentRecord {
    const record = this.#records.get(id);
    if (!record) throw new Refusal('not-found', 'There is no such document.');
    return record;
  }

  /** A document that is not deleted. @throws Refusal when there is none */
  get(id: string): DocumentRecord {
    const record = this.find(id);
    if (record.deletedAt !== undefined) throw new Refusal('not-found', 'The document was deleted.');
    return record;
  }

  /** @throws Refusal when the document has no such version */
  version(record: DocumentRecord, number: number): Version {
    const found = record.versions.find((one) => one.number === number);
    if (!found) throw new Refusal('not-found', 'There is no such version of the document.');
    return found;
  }

  /** Where a file that a record names lies. */
  pathOf({ id }: DocumentRecord, file: string): string {
    return path.join(this.#directory, id, file);
  }

  read(record: DocumentRecord, { file }: Version): Promise<Buffer> {
    return readFile(this.pathOf(record, file));
  }

  async create({ title, fileType, bytes, by, origin }: NewDocument): Promise<DocumentRecord> {
    const cleanTitle = documentTitle(title);
    this.#checkFile(bytes, fileType);
    await this.#purge();
    if (this.list().length >= this.#limits.maxDocuments) {
      throw new Refusal(
        'too-many',
        `The example keeps ${this.#limits.maxDocuments} documents; delete some first.`,
      );
    }
    if (this.#totalBytes() >= this.#limits.maxTotalBytes) {
      throw new Refusal('too-many', 'The storage of the example is full; delete some documents first.');
    }
    const id = randomBytes(8).toString('hex');
    await mkdir(path.join(this.#directory, id));
    return this.#mutex.run(id, async () => {
      const first = await this.#writeVersion(id, 1, { origin, people: [by], fileType, bytes });
      return this.#write({
        id,
        title: cleanTitle,
        fileType,
        createdAt: first.savedAt,
        createdBy: by,
        session: { key: newKey(id), baseVersion: 1 },
        pastSessions: [],
        versions: [first],
        callbacks: [],
      });
    });
  }

  rename(id: string, title: string): Promise<DocumentRecord> {
    const cleanTitle = documentTitle(title);
    return this.#change(this.get(id).id, async (record) => ({ ...record, title: cleanTitle }));
  }

  delete(id: string): Promise<DocumentRecord> {
    return this.#change(this.get(id).id, async (record) => ({
      ...record,
      deletedAt: new Date().toISOString(),
    }));
  }

  /** Brings back a deleted document. */
  undelete(id: string): Promise<DocumentRecord> {
    return this.#change(id, async ({ deletedAt: _deletedAt, ...record }) => record);
  }

  /**
   * Adds a version. What a session delivers twice is stored once: a callback is repeated when its answer was lost, and
   * a final save after a forced one often has nothing new. `endsSession`: the next opening gets a new key.
   */
  async addVersion(
    id: string,
    content: NewContent,
    { endsSession }: { endsSession: boolean },
  ): Promise<{ record: DocumentRecord; version: Version }> {
    this.#checkFile(content.bytes, content.fileType);
    let version: Version | undefined;
    const record = await this.#change(id, async (before) => {
      const repeated = repeatedVersion(before, content);
      const number = latest(before).number + 1;
      version = repeated ?? (await this.#writeVersion(id, number, content));
      const versions = repeated ? before.versions : await this.#kept(before, version);
      const after = { ...before, versions, fileType: versions.at(-1)!.fileType };
      const sameSession = content.session === undefined || content.session.key === before.session.key;
      return endsSession && sameSession ? withNewSession(after) : after;
    });
    return { record, version: version! };
  }

  /** Keeps a callback in the document's record. */
  noteCallback(id: string, callback: Callback): Promise<DocumentRecord> {
    return this.#change(id, async (record) => ({
      ...record,
      callbacks: [...record.callbacks, callback].slice(-keptCallbacks),
    }));
  }

  #checkFile(bytes: Uint8Array, fileType: string): void {
    if (bytes.byteLength > this.#limits.maxFileBytes) {
      const megabytes = Math.floor(this.#limits.maxFileBytes / 1_048_576);
      throw new Refusal('too-large', `The file is larger than ${megabytes} MB.`);
    }
    checkContent(bytes, fileType);
  }

  #totalBytes(): number {
    const versions = [...this.#records.values()].flatMap((record) => record.versions);
    return versions.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  }

  #change(id: string, next: (record: DocumentRecord) => Promise<DocumentRecord>): Promise<DocumentRecord> {
    return this.#mutex.run(id, async () => this.#write(await next(this.find(id))));
  }

  async #write(record: DocumentRecord): Promise<DocumentRecord> {
    await writeDurably(this.pathOf(record, recordFile), `${JSON.stringify(record, null, 2)}\n`);
    this.#records.set(record.id, record);
    this.#onChange(record.id);
    return record;
  }

  async #writeVersion(id: string, number: number, content: NewContent): Promise<Version> {
    const { bytes, changes, ...described } = content;
    const file = `version-${number}.${content.fileType}`;
    await writeDurably(path.join(this.#directory, id, file), bytes);
    const changesFile = changes && `changes-${number}.zip`;
    if (changesFile) await writeDurably(path.join(this.#directory, id, changesFile), changes);
    return {
      ...described,
      number,
      key: newKey(id),
      file,
      sha256: sha256(bytes),
      sizeBytes: bytes.byteLength,
      savedAt: new Date().toISOString(),
      ...(changesFile && { changesFile }),
    };
  }

  /** The versions with another one; those beyond the limit lose their files. */
  async #kept(record: DocumentRecord, added: Version): Promise<Version[]> {
    const all = [...record.versions, added];
    const dropped = all.splice(0, Math.max(0, all.length - this.#limits.maxVersions));
    for (const { file, changesFile } of dropped) {
      for (const name of [file, changesFile]) if (name) await rm(this.pathOf(record, name), { force: true });
    }
    return all;
  }

  /** Removes documents that were deleted so long ago that nobody can bring them back. */
  async #purge(): Promise<void> {
    const before = new Date(Date.now() - this.#limits.keepDeletedMs).toISOString();
    for (const { id, deletedAt } of this.#records.values()) {
      if (deletedAt === undefined || deletedAt >= before) continue;
      this.#records.delete(id);
      await rm(path.join(this.#directory, id), { recursive: true, force: true });
    }
  }
}

function withNewSession(record: DocumentRecord): DocumentRecord {
  return {
    ...record,
    session: { key: newKey(record.id), baseVersion: latest(record).number },
    pastSessions: [...record.pastSessions, record.session].slice(-keptSessions),
  };
}

/** The version that holds this content of this session already. */
function repeatedVersion(record: DocumentRecord, { session, bytes }: NewContent): Version | undefined {
  if (!session) return undefined;
  const hash = sha256(bytes);
  const same = record.versions.filter((one) => one.session?.key === session.key && one.sha256 === hash);
  return same.find((one) => one === latest(record) || one.session?.lastSave === session.lastSave);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** What the example's storage takes at most. */
export interface ExampleLimits {
  /** Largest uploaded or assembled file, bytes. */
  maxFileBytes: number;
  maxDocuments: number;
  /** No document is added when all versions together have this size, bytes. */
  maxTotalBytes: number;
  /** Versions kept of a document; the oldest goes when another comes. */
  maxVersions: number;
  /** How long a deleted document can be brought back, milliseconds. */
  keepDeletedMs: number;
  /** How long a restore waits until everybody has left the document, milliseconds. */
  closingTimeoutMs: number;
}

export const defaultLimits: ExampleLimits = {
  maxFileBytes: 26_214_400,
  maxDocuments: 200,
  maxTotalBytes: 2 * 1024 ** 3,
  maxVersions: 100,
  keepDeletedMs: 86_400_000,
  closingTimeoutMs: 30_000,
};

/** Writes a file so that its name holds the whole old or the whole new content, also after a power cut. */
async function writeDurably(file: string, content: Uint8Array | string): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  const directory = await open(path.dirname(file), 'r');
  await directory.sync().finally(() => directory.close());
}

/** Runs the tasks of one key one after the other; those of different keys at the same time. */
class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<Result>(name: string, task: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const mine = before.then(task, task);
    this.#last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(name) === mine) this.#last.delete(name);
    }
  }
}
