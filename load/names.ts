/** What latencies are between, by name. Those that are nobody's here are shown by their name. */
const latencyTitles: Readonly<Record<string, string>> = {
  open: 'Arrival due until the document is there to be edited',
  login: 'Signing in',
  save: 'Save due until it is acknowledged',
  saved: 'Changes sent until they are acknowledged',
  chat: 'Message due until its author has it back',
  message: 'Message due until somebody else has it',
  presence: 'Cursor moved until somebody else sees it',
  change: 'Changes sent until somebody else has them',
  file: 'Last one left until the file is delivered',
  poll: 'Poll',
  post: 'Post',
  health: 'Health check, over a connection of its own',
  silence: 'Silence until the session is ended',
  late: 'Arrival or turn due until the load begins it',
  'monitor.message': 'Message between monitors',
  'monitor.presence': 'Cursor between monitors',
};

const counterTitles: Readonly<Record<string, string>> = {
  logins: 'Log-ins',
  opened: 'Log-ins that got through: documents opened',
  refused: 'Refused: asked to come again',
  retried: 'Attempts made again',
  givenUp: 'Gave up coming',
  saves: 'Saves acknowledged',
  changes: 'Changes acknowledged',
  chats: 'Messages sent',
  cursors: 'Cursors moved',
  received: 'Messages, cursors and changes of others received',
  closes: 'Documents closed',
  returns: 'Left and came back',
  moves: 'Went to another document',
  silences: 'Fell silent',
  files: 'Files delivered',
  differences: 'Differences',
  errors: 'Errors',
  lost: 'Connections lost by people who were in',
  'health.failed': 'Health checks not answered with 200 within 2 s',
  best: 'Best rate of log-ins, a second',
  bend: 'People where it bends',
};

/** Requests and what else either passes or fails: the latency that is taken of those that pass. */
export const transactionTitles: Readonly<Record<string, string>> = {
  login: 'Log-in',
  open: 'Opening',
  save: 'Save',
  chat: 'Message',
  poll: 'Poll (GET)',
  post: 'Post',
  health: 'Health check within 2 s',
};

export const latencyTitle = (name: string): string => latencyTitles[name] ?? name;
export const counterTitle = (name: string): string => counterTitles[name] ?? name;

/** Counters that every result has, also where nothing was counted. */
export const alwaysCounted = [
  ...['errors', 'differences', 'refused', 'retried', 'givenUp', 'lost', 'health.failed'],
];

/** Counters that are shown as rates, all in one chart. */
export const rates = [
  'logins',
  'opened',
  'refused',
  'saves',
  'chats',
  'cursors',
  'received',
  'closes',
  'files',
  'errors',
];
