import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WordSession } from '../client/word/word-session.ts';
import { openDocx } from '../converter/engines/ooxml/docx/docx-engine.ts';
import { ZipArchive } from '../converter/engines/ooxml/package/zip-archive.ts';
import { minutes } from './minutes.ts';
import { startServer } from './server.ts';
import { Storage } from './storage.ts';
import { embolden, paragraph, type } from './story.ts';

const typingPauseMs = 25;
const documentKey = 'garden-minutes-1';
const isTerminal = process.stdout.isTTY === true;

const colours = { Ann: 35, Bob: 36, storage: 33, server: 32 } as const;
const say = (who: keyof typeof colours, text: string) => {
  const name = who.padStart(8);
  process.stdout.write(`${isTerminal ? `\u001b[${colours[who]}m${name}\u001b[0m` : name}  ${text}\n`);
};

/** Shows that something is waited for, with the seconds it has taken. */
async function waiting<Result>(what: string, result: Promise<Result>): Promise<Result> {
  const startedAt = Date.now();
  const show = () => {
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(0);
    process.stdout.write(isTerminal ? `\r\u001b[2K          … ${what} (${seconds} s)` : '');
  };
  if (!isTerminal) process.stdout.write(`          … ${what}\n`);
  const timer = setInterval(show, 200);
  try {
    return await result;
  } finally {
    clearInterval(timer);
    if (isTerminal) process.stdout.write('\r\u001b[2K');
  }
}

async function join(
  name: 'Ann' | 'Bob',
  transport: 'websocket' | 'polling',
  serverAddress: string,
  storage: Storage,
): Promise<WordSession> {
  const id = name.toLowerCase();
  const permissions = { edit: true, chat: true };
  const config = {
    document: {
      key: documentKey,
      url: `${storage.address}/minutes.docx`,
      fileType: 'docx',
      title: 'Minutes.docx',
      permissions,
    },
    editorConfig: {
      mode: 'edit',
      callbackUrl: `${storage.address}/callback`,
      user: { id, name },
    },
  };
  const session = new WordSession({
    url: serverAddress,
    key: documentKey,
    transport,
    token: await storage.sign(config),
    clientId: id,
    auth: {
      user: { id, username: name },
      permissions,
      mode: 'edit',
      documentCallbackUrl: config.editorConfig.callbackUrl,
      coEditingMode: 'fast',
      openCmd: { format: 'docx', url: config.document.url, title: config.document.title },
    },
  });
  session.client.on('chat', (messages) => {
    const last = messages.at(-1);
    if (last && last.useridoriginal !== id) say(name, `reads: “${last.message}”`);
  });
  await waiting(`${name} opens the document by ${transport}`, session.open());
  return session;
}

const textOf = (session: WordSession, where: string) => {
  const { start, end } = paragraph(session.state.doc, where);
  return session.state.doc.textBetween(start, end);
};

/** Says something and resolves when the other has read it. */
async function chat(from: WordSession, to: WordSession, text: string): Promise<void> {
  const read = to.client.once('chat');
  from.client.chat(text);
  await read;
}

/** Resolves when both see the same text and everything is stored. */
async function inStep(ann: WordSession, bob: WordSession): Promise<void> {
  await Promise.all([ann.saved(), bob.saved()]);
  while (!ann.state.doc.eq(bob.state.doc)) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function tell(ann: WordSession, bob: WordSession): Promise<void> {
  const people = ann.client.participants.map(({ username }) => username).join(' and ');
  say('server', `in the document: ${people}`);
  await chat(bob, ann, 'Hello Ann! I take the date, you take the trees?');
  await chat(ann, bob, 'Deal.');

  const trees = paragraph(ann.state.doc, 'apple trees').id;
  const granted = await ann.client.acquire([trees]);
  say('Ann', `asks for the paragraph about the trees: ${granted.granted ? 'hers' : 'refused'}`);
  const refused = await bob.client.acquire([trees]);
  const holder = refused.granted ? null : refused.holder?.user;
  const name = bob.client.participants.find(({ id }) => id === holder)?.username;
  say('Bob', `asks for it too: ${refused.granted ? 'his' : `refused, ${name} has it`}`);

  say('Ann', 'types about the trees while Bob types the date');
  await Promise.all([
    type(ann, 'apple trees.', ' Pears will follow.', typingPauseMs),
    type(bob, 'Next meeting:', ' Friday, 10 o’clock', typingPauseMs),
  ]);
  ann.client.queueSave({ releaseLocks: true });
  await waiting('both are stored', inStep(ann, bob));

  say('Bob', 'and Ann now type into the same paragraph at once, without asking');
  await Promise.all([
    type(ann, 'Present: Ann', ' (who was late)', typingPauseMs),
    type(bob, 'a dozen bees.', ' Bob brought cake.', typingPauseMs),
  ]);
  embolden(bob, 'cake');
  await waiting('both are stored', inStep(ann, bob));
  say('server', `both read: “${textOf(ann, 'Present')}”`);
}

/** What the storage got compared with what it had: parts of the package and paragraphs. */
function report(before: Uint8Array, after: Uint8Array): void {
  const [old, made] = [new ZipArchive(before), new ZipArchive(after)];
  const same = made.entries.filter(({ name }) => {
    const entry = old.find(name);
    return entry !== undefined && Buffer.compare(old.read(entry), made.read(made.find(name)!)) === 0;
  });
  say(
    'storage',
    `${same.length} of ${made.entries.length} parts of the package are byte for byte as they were`,
  );
  const lines = (bytes: Uint8Array) => {
    const texts: string[] = [];
    openDocx(bytes).doc.descendants((node) => {
      if (node.type.name === 'paragraph') texts.push(node.textContent);
    });
    return texts;
  };
  const [oldLines, newLines] = [lines(before), lines(after)];
  for (const [index, line] of newLines.entries()) {
    if (line === oldLines[index]) continue;
    say('storage', `- ${oldLines[index]}`);
    say('storage', `+ ${line}`);
  }
}

async function main(): Promise<void> {
  const directory = await mkdtemp(path.join(tmpdir(), 'quire-demo-'));
  const secret = randomBytes(32).toString('hex');
  const document = minutes();
  const storage = new Storage(document, secret);
  await storage.listen();
  const server = await waiting(
    'Quire starts, with a database of its own',
    startServer(path.join(directory, 'data'), secret),
  );
  try {
    say('server', `ready at ${server.address}, ${server.database}`);
    const ann = await join('Ann', 'websocket', server.address, storage);
    const bob = await join('Bob', 'polling', server.address, storage);
    await tell(ann, bob);
    say('Ann', 'leaves');
    await ann.close();
    say('Bob', 'leaves');
    await bob.close();
    const callback = await waiting('the document is assembled and handed over', storage.waitFor(2));
    const authors = new Set(callback.history?.changes.map(({ user }) => user.name));
    say('storage', `callback with status ${callback.status}; changes by ${[...authors].join(' and ')}`);
    const response = await fetch(callback.url!);
    const assembled = new Uint8Array(await response.arrayBuffer());
    const file = path.join(directory, `Minutes.${callback.filetype}`);
    await writeFile(file, assembled);
    report(document, assembled);
    process.stdout.write(`\nThe assembled document is ${file}\n`);
  } finally {
    await waiting('Quire stops', server.stop());
    storage.close();
  }
}

await main();
