import { keepSecretFile, readSecretFile, replaceSecretFile } from './secret-file.ts';

/** Where generated secrets are kept. */
export interface SecretPlace {
  /** For people. */
  readonly name: string;
  /** What is there, made and put there when there is nothing. Any number of processes have the same. */
  keep(make: () => Promise<string>): Promise<string>;
  replace(content: string): Promise<void>;
}

/** A file with mode 0600, for a server that has its database to itself. */
export const fileOfSecrets = (file: string): SecretPlace => ({
  name: file,
  keep: (make) => keepSecretFile(file, make),
  replace: (content) => replaceSecretFile(file, content),
});

/** Secrets that all nodes on a database share, by name. */
export interface SecretRecords {
  /** The content under a name, which is made when there is none: of several nodes at once the first one's is taken. */
  keep(name: string, make: () => Promise<string>): Promise<string>;
  replace(name: string, content: string): Promise<void>;
}

/** The database, for nodes that have no files in common. What `former` held before is taken over once. */
export const recordOfSecrets = (records: SecretRecords, name: string, former: string): SecretPlace => ({
  name: `the record ${name} of the database (taken over from ${former} where that was there)`,
  keep: (make) => records.keep(name, async () => (await readSecretFile(former)) ?? make()),
  replace: (content) => records.replace(name, content),
});
