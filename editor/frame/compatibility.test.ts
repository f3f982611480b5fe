import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandParameters } from '../../services/integration/command-parameters.ts';
import { eventFlags } from '../api/config.ts';
import { commandMethods } from '../api/methods.ts';
import { methodOf, unusedEvents, unusedOptions, unusedOptionsIn } from './compatibility.ts';
import { documentSchema } from './document-config.ts';
import { editorConfigSchema } from './editor-config.ts';
import { HostBridge } from './host-bridge.ts';
import { commandSchemas } from './host-commands.ts';
import { optionPaths } from './schema-paths.ts';
import { FakeHost } from './testing/fake-host.ts';
import { notesAtOnce } from './testing/notes-at-once.ts';
import { type Standing, unusedCommands } from './unused-commands.ts';

const root = path.join(import.meta.dirname, '../..');

/** What the table in the documentation says, by its section and name. */
function table(section: string): Record<string, Standing> {
  const text = readFileSync(path.join(root, 'docs/api-compatibility.md'), 'utf8');
  const part = text.split(/^## /m).find((one) => one.startsWith(section))!;
  const rows = [...part.matchAll(/^\| `([^`]+)`\s*\| (works|accepted|absent)\s*\|/gm)];
  return Object.fromEntries(rows.map(([, name, standing]) => [name!, standing as Standing]));
}

const sources = [
  'editor/word',
  'editor/cell',
  'editor/frame',
  'editor/shell',
  'editor/viewer',
  'editor/theme',
].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
    .map((name) => path.join(root, folder, name)),
);
const readers = sources
  .filter((file) => !/(?:customization|-config|compatibility|host-commands|host-events)\.ts$/.test(file))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

const known = new Set([
  ...optionPaths(documentSchema, 'document'),
  ...optionPaths(editorConfigSchema, 'editorConfig'),
]);
const isUnused = (option: string): boolean =>
  Object.keys(unusedOptions).some(
    (one) => option === one || new RegExp(`^${one.replace(/[.[\]]/g, '\\$&')}[.[]`).test(option),
  );
const leaves = [...known].filter(
  (one) => ![...known].some((other) => other.startsWith(`${one}.`) || other.startsWith(`${one}[`)),
);
const works = (names: readonly string[]): Record<string, Standing> =>
  Object.fromEntries(names.map((name) => [name, 'works']));

/** What is no part of `document` and `editorConfig`: `api.js` reads it. */
const around = ['documentType', 'events', 'height', 'token', 'type', 'width'];
const flags = Object.values(eventFlags).map((flag) => `editorConfig.${flag}`);

describe('the table of what works', () => {
  it('[HB24] has every option that the schemas read and every other documented one, as it stands', () => {
    const read = leaves.filter((one) => !isUnused(one) && !flags.includes(one));
    expect(table('Options')).toEqual({ ...works([...around, ...read]), ...unusedOptions });
  });

  it('[HB24] an option that works is read somewhere, and one that changes nothing nowhere', () => {
    const isRead = (option: string) =>
      new RegExp(`\\b${option.replace(/\[\]/g, '').split('.').at(-1)}\\b`).test(readers);
    // The file's own address and what becomes of a name in two parts are read where they are put together.
    const elsewhere = ['editorConfig.user.firstname', 'editorConfig.user.lastname'];
    const read = leaves.filter((one) => !isUnused(one) && !flags.includes(one) && !elsewhere.includes(one));
    expect(read.filter((one) => !isRead(one))).toEqual([]);
    // Of names that are no common words it is certain.
    const rare = Object.keys(unusedOptions).filter((one) => /[a-z][A-Z]/.test(one.split('.').at(-1)!));
    const exceptions = ['document.permissions.modifyContentControl'];
    expect(rare.filter((one) => isRead(one) && !exceptions.includes(one))).toEqual([]);
  });

  it('[HB24] has every event, and those that work are sent', () => {
    const declared = readFileSync(path.join(root, 'editor/frame/host-events.ts'), 'utf8');
    const names = [...declared.matchAll(/^ {2}(on[A-Z]\w+):/gm)].map(([, name]) => name!);
    const documented = new Set([...names, ...Object.keys(eventFlags), ...Object.keys(unusedEvents)]);
    const sent = [...documented].filter((name) => !Object.hasOwn(unusedEvents, name));
    expect(table('Events')).toEqual({ ...works(sent), ...unusedEvents });
    const isSent = (name: string) => new RegExp(`send\\(\\s*'${name}'`).test(readers);
    expect(sent.filter((name) => !isSent(name))).toEqual([]);
    expect(Object.keys(unusedEvents).filter(isSent)).toEqual([]);
  });

  it('[HB24] has every method, and those that work have somebody who listens', () => {
    const commands = Object.keys(commandSchemas).filter((command) => methodOf(command) !== null);
    const standing = Object.fromEntries(
      commands.map((command) => [methodOf(command)!, unusedCommands[command] ?? 'works']),
    );
    expect(table('Methods')).toEqual({
      ...standing,
      ...works(['attachMouseEvents', 'denyEditingRights', 'destroyEditor', 'detachMouseEvents']),
      createConnector: 'absent',
    });
    const isHeard = (command: string) => new RegExp(`\\.on\\(\\s*'${command}'`).test(readers);
    const used = Object.keys(commandSchemas).filter((command) => !Object.hasOwn(unusedCommands, command));
    expect(used.filter((command) => !isHeard(command))).toEqual([]);
    expect(Object.keys(unusedCommands).filter(isHeard)).toEqual([]);
    const sent: string[] = [];
    const methods = commandMethods((command) => sent.push(command));
    for (const method of Object.values(methods)) (method as () => void)();
    const [unknown] = sent.filter((command) => !Object.hasOwn(commandSchemas, command));
    expect(unknown).toBeUndefined();
    for (const name of Object.keys(methods)) expect(table('Methods')).toHaveProperty(name);
  });

  it('[HB24] has every command of the service', () => {
    expect(table('Commands')).toEqual(works(Object.keys(commandParameters)));
  });

  it('[HB24] is plain text, which the server shows as it is', () => {
    const text = readFileSync(path.join(root, 'docs/api-compatibility.md'), 'utf8');
    expect(text).toMatch(/^[\x20-\x7e\n]*$/);
  });
});

describe('what does nothing here', () => {
  it('[HB25] options are named once, those that nobody knows apart, and those that are not there and not wanted never', () => {
    const init = {
      canCoAuthoring: true,
      plugins: { autostart: [] },
      tenant: 'us',
      recent: [{ title: 'A', url: 'https://s.test/', sort: 1 }, { sort: 2 }],
      customization: {
        about: true,
        macros: false,
        submitForm: true,
        forceSave: true,
        customer: { name: 'A' },
      },
    };
    expect(unusedOptionsIn(init, 'editorConfig', known)).toEqual([
      { path: 'editorConfig.plugins', standing: 'absent' },
      { path: 'editorConfig.tenant', standing: 'accepted' },
      { path: 'editorConfig.recent[].sort', standing: 'unknown' },
      { path: 'editorConfig.customization.submitForm', standing: 'absent' },
      { path: 'editorConfig.customization.forceSave', standing: 'unknown' },
      { path: 'editorConfig.customization.customer', standing: 'accepted' },
    ]);
  });

  it('[HB25] options, events and methods are said once, with the address of the table', () => {
    const notes: string[] = [];
    const host = new FakeHost();
    const address = 'https://ds.test/web-apps/apps/quire/api-compatibility.txt';
    const bridge = new HostBridge(
      host.frame,
      notesAtOnce((note) => notes.push(note), address),
    );
    const config = { tenant: 'us', customization: { forceSave: true } };
    host.command('init', { config, handlers: ['onAppReady', 'onBack', 'onSubmit', 5] });
    host.command('openDocument', { doc: { isForm: false } });
    for (let time = 0; time < 3; time++) {
      host.command('refreshFile', { document: {}, editorConfig: config });
      host.command('requestRoles', {});
      host.command('internalCommand', { command: 'x' });
      host.command('processMouse', { type: 'mouseup' });
    }
    expect(notes).toEqual([
      `DocsAPI.DocEditor: These options change nothing here: document.isForm, editorConfig.tenant. What does: ${address}`,
      `DocsAPI.DocEditor: These options are not known here: editorConfig.customization.forceSave. What is: ${address}`,
      `DocsAPI.DocEditor: The page listens for events that do not come here: onBack, onSubmit. Which do: ${address}`,
      `DocsAPI.DocEditor: The method requestRoles does nothing here. What does: ${address}`,
      `DocsAPI.DocEditor: The method serviceCommand does nothing here. What does: ${address}`,
    ]);
    bridge.close();
  });

  it('[HB25] commands of which nothing comes do not take the place of others that wait', () => {
    const host = new FakeHost();
    const bridge = new HostBridge(host.frame, notesAtOnce());
    for (let count = 0; count < 200; count++) host.command('processMouse', { type: 'mouseup' });
    host.command('showMessage', { msg: 'heard' });
    const heard: string[] = [];
    bridge.on('showMessage', ({ msg }) => heard.push(msg));
    expect(heard).toEqual(['heard']);
  });
});
