import { Command, Option } from 'commander';
import { ConfigError, loadConfig, processEnvironment } from '../../platform/config.ts';
import type {
  ConfigurationAnswer,
  DisconnectAnswer,
  DocumentAnswer,
  DocumentsAnswer,
  DrainAnswer,
  KindAnswer,
  NodesAnswer,
  QueueAnswer,
  QueueCounts,
  SaveRequestAnswer,
  SavesAnswer,
} from '../admin/api.ts';
import {
  AdminCommandError,
  AdminConnection,
  type ConnectionOptions,
  exitCodes,
} from './admin-command/admin-connection.ts';
import * as tables from './admin-command/tables.ts';

type Texts = Record<string, string>;

const path = (...parts: string[]): string => parts.map(encodeURIComponent).join('/');
const query = (options: Texts, names: readonly string[]): string =>
  String(new URLSearchParams(Object.entries(options).filter(([name]) => names.includes(name))));

/** `quire admin …`: what operators see and do, from the command line. */
export function adminCommand(): Command {
  const admin = new Command('admin')
    .description('look after running servers')
    .addOption(
      new Option('--address <url>', 'address of the administration, up to /admin/').env('ADMIN_ADDRESS'),
    )
    .addOption(
      new Option('--token <token>', 'token or password; others on this machine see it here').env(
        'ADMIN_TOKEN',
      ),
    )
    .option('--json', 'print what the server answered')
    .addHelpText(
      'after',
      '\nWithout options it is the server of this machine, with the token that it keeps in DATA_DIR.' +
        '\nEnds with 0 when it was done, 1 when it was refused, 2 when there is no answer, 3 when the token is wrong,' +
        '\n4 when it was done but not every node has answered.',
    );
  const requests = new Requests(admin);
  addDocumentLists(admin, requests);
  addDocumentActions(admin, requests);
  addSaves(admin, requests);
  addNodes(admin, requests);
  addQueue(admin, requests);
  admin
    .command('configuration')
    .description('show the settings in force')
    .action(() => requests.show<ConfigurationAnswer>('configuration', tables.configurationTable));
  return admin;
}

/** Asks the server that the options of `quire admin` name, and prints its answers. */
class Requests {
  readonly #admin: Command;

  constructor(admin: Command) {
    this.#admin = admin;
  }

  show<Answer>(where: string, text: (answer: Answer) => string): Promise<void> {
    return this.run((connection) => connection.ask<Answer>('GET', where), text);
  }

  act<Answer>(method: string, where: string, body: object, text: (answer: Answer) => string): Promise<void> {
    return this.run((connection) => connection.ask<Answer>(method, where, body), text);
  }

  /** Prints an answer as JSON or as `text` has it. Where something did not answer, the exit code says so. */
  async run<Answer>(
    ask: (connection: AdminConnection) => Promise<Answer>,
    text: (answer: Answer) => string,
  ): Promise<void> {
    const options = this.#admin.opts<ConnectionOptions & { json?: boolean }>();
    try {
      const connection = await AdminConnection.open(options, loadConfig(processEnvironment()));
      const answer = await ask(connection);
      process.stdout.write(`${options.json ? JSON.stringify(answer, null, 2) : text(answer)}\n`);
      const { silent = [], missing = [] } = (answer ?? {}) as { silent?: string[]; missing?: string[] };
      if (silent.length === 0 && missing.length === 0) return;
      if (silent.length > 0) process.stderr.write(`These nodes did not answer: ${silent.join(', ')}\n`);
      if (missing.length > 0)
        process.stderr.write(`What these know is missing, since they do not answer: ${missing.join(', ')}\n`);
      process.exitCode = exitCodes.partly;
    } catch (error) {
      if (!(error instanceof AdminCommandError || error instanceof ConfigError)) throw error;
      process.stderr.write(`${error.message}\n`);
      process.exitCode = error instanceof AdminCommandError ? error.exitCode : exitCodes.refused;
    }
  }
}

function addDocumentLists(admin: Command, requests: Requests): void {
  admin
    .command('documents')
    .description('list documents; those in use unless a state is given')
    .option('--search <text>', 'part of a key or title')
    .option('--state <states>', 'states with commas between them, or all')
    .option('--order <order>', 'recent, unsaved or key')
    .option('--limit <n>', 'so many at most')
    .option('--offset <n>', 'from this one on')
    .action((options: Texts) =>
      requests.show<DocumentsAnswer>(
        `documents?${query(options, ['search', 'state', 'order', 'limit', 'offset'])}`,
        tables.documentsTable,
      ),
    );
  admin
    .command('document <key>')
    .description('show one document with its participants and saves')
    .action((key: string) => requests.show<DocumentAnswer>(path('documents', key), tables.documentText));
}

function addDocumentActions(admin: Command, requests: Requests): void {
  admin
    .command('force-save <key>')
    .description('save a document while people go on editing it')
    .action((key: string) =>
      requests.act<SaveRequestAnswer>(
        'POST',
        path('documents', key, 'force-save'),
        {},
        ({ state }) => `Save ${state}.`,
      ),
    );
  admin
    .command('close <key>')
    .description('disconnect everybody from a document; it is saved and delivered')
    .option('--reason <text>', 'what they read as the reason')
    .action((key: string, { reason = '' }: Texts) =>
      requests.act<DisconnectAnswer>('POST', path('documents', key, 'close'), { reason }, sentAway),
    );
  admin
    .command('disconnect <key>')
    .description('disconnect one person, or one connection, from a document')
    .option('--user <id>', "the integrator's id of the person")
    .option('--connection <id>', 'a connection, as `document` shows it')
    .option('--reason <text>', 'what they read as the reason')
    .action((key: string, { user, connection, reason = '' }: Partial<Texts>) => {
      const body = { userId: user ?? null, connectionId: connection ?? null, reason };
      return requests.act<DisconnectAnswer>('POST', path('documents', key, 'disconnect'), body, sentAway);
    });
  admin
    .command('hand-back <key>')
    .description('deliver a forgotten document again')
    .action((key: string) =>
      requests.act<SaveRequestAnswer>(
        'POST',
        path('documents', key, 'hand-back'),
        {},
        ({ state }) => `It is ${state}.`,
      ),
    );
}

function addSaves(admin: Command, requests: Requests): void {
  admin
    .command('saves')
    .description('list saves, the newest first')
    .option('--search <text>', 'part of a key or title')
    .option('--phase <phases>', 'such as waiting,forgotten')
    .option('--limit <n>', 'so many at most')
    .option('--offset <n>', 'from this one on')
    .action((options: Texts) =>
      requests.show<SavesAnswer>(
        `saves?${query(options, ['search', 'phase', 'limit', 'offset'])}`,
        tables.savesTable,
      ),
    );
  addSaveActions(admin.command('save').description('do something about one save'), requests);
}

function addSaveActions(save: Command, requests: Requests): void {
  save
    .command('retry <id>')
    .description('try a save again now')
    .action((id: string) =>
      requests.act<SaveRequestAnswer>(
        'POST',
        path('saves', id, 'retry'),
        {},
        ({ state }) => `It is ${state}.`,
      ),
    );
  save
    .command('retry-all')
    .description('try all saves again now that wait, were given up, or are in forgotten storage')
    .option('--search <text>', 'only those with this part of a key or title')
    .action(({ search = '' }: Texts) =>
      requests.run((connection) => retryAll(connection, search), retriedText),
    );
  save
    .command('download <id> <part>')
    .description('download the file, the base or the changes of a save')
    .requiredOption('-o, --output <file>', 'where to write it')
    .action((id: string, part: string, { output = '' }: Texts) =>
      requests.run(
        async (connection) => {
          await connection.download(path('saves', id, part), output);
          return { file: output };
        },
        ({ file }) => `Written to ${file}.`,
      ),
    );
  save
    .command('discard <id>')
    .description('give up what is kept of a document in forgotten storage, for good')
    .requiredOption('--confirm <key>', 'the key of the document, once more')
    .action((id: string, { confirm = '' }: Texts) =>
      requests.act<{ discarded: string }>(
        'DELETE',
        `${path('saves', id)}?${new URLSearchParams({ confirm })}`,
        {},
        ({ discarded }) => `${discarded} is discarded.`,
      ),
    );
}

function addNodes(admin: Command, requests: Requests): void {
  admin
    .command('nodes')
    .description('list nodes')
    .action(() => requests.show<NodesAnswer>('nodes', tables.nodesTable));
  admin
    .command('drain <node>')
    .description('take a node out of service: its clients go to the others')
    .action((node: string) =>
      requests.act<DrainAnswer>(
        'PUT',
        path('nodes', node, 'drain'),
        {},
        ({ connectionsLeft }) => `It is being drained; ${connectionsLeft} connections are left.`,
      ),
    );
  admin
    .command('undrain <node>')
    .description('let a node take clients again')
    .action((node: string) =>
      requests.act<DrainAnswer>('DELETE', path('nodes', node, 'drain'), {}, () => 'It takes clients again.'),
    );
}

function addQueue(admin: Command, requests: Requests): void {
  admin
    .command('queue')
    .description('show the queue of the converters and its workers')
    .action(() => requests.show<QueueAnswer>('queue', tables.queueTable));
  for (const action of ['pause', 'resume'] as const) {
    admin
      .command(`${action} [kind]`)
      .description(
        action === 'pause'
          ? 'begin nothing new of the queue, or of one kind of jobs'
          : 'go on with the queue, or with one kind of jobs',
      )
      .action((kind?: string) =>
        kind === undefined
          ? requests.act<QueueCounts>('POST', `queue/${action}`, {}, ({ isPaused }) =>
              isPaused ? 'The queue is paused.' : 'The queue goes on.',
            )
          : requests.act<KindAnswer>('POST', path('queue', kind, action), {}, ({ isPaused }) =>
              isPaused ? `Jobs of the kind ${kind} are paused.` : `Jobs of the kind ${kind} go on.`,
            ),
      );
  }
}

const sentAway = ({ disconnected }: DisconnectAnswer): string => `${disconnected} connections were ended.`;

interface Retried {
  tried: number;
  refused: { id: string; key: string; why: string }[];
}

/** Saves that one command tries again. */
const mostRetried = 1_000;

/** Tries saves again, one after the other. @throws AdminCommandError when the next would fare no better */
async function retryAll(connection: AdminConnection, search: string): Promise<Retried> {
  const saves: SavesAnswer['saves'] = [];
  for (let isLast = false; !isLast && saves.length < mostRetried; ) {
    const page = { phase: 'waiting,forgotten,abandoned', search, limit: '200', offset: `${saves.length}` };
    const answer = await connection.ask<SavesAnswer>('GET', `saves?${new URLSearchParams(page)}`);
    saves.push(...answer.saves);
    isLast = answer.saves.length < 200;
  }
  const refused: Retried['refused'] = [];
  for (const { id, key } of saves) {
    try {
      await connection.ask<SaveRequestAnswer>('POST', path('saves', id, 'retry'), {});
    } catch (error) {
      if (!(error instanceof AdminCommandError) || error.exitCode !== exitCodes.refused) throw error;
      refused.push({ id, key, why: error.message });
    }
  }
  return { tried: saves.length, refused };
}

const retriedText = ({ tried, refused }: Retried): string =>
  [
    `${tried - refused.length} of ${tried} are tried again.`,
    ...refused.map(({ id, key, why }) => `${id} ${key}: ${why}`),
  ].join('\n');
