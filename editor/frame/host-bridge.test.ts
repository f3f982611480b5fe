import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HostBridge, NoHostError } from './host-bridge.ts';
import { commandSchemas } from './host-commands.ts';
import { FakeHost } from './testing/fake-host.ts';
import { notesAtOnce } from './testing/notes-at-once.ts';

const pair = (search?: string) => {
  const host = new FakeHost(search);
  return {
    host,
    bridge: new HostBridge(host.frame, notesAtOnce()),
  };
};

/** Whether a promise has been settled once everything that is due has run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  return (
    (await Promise.race([promise, new Promise((resolve) => setImmediate(resolve, pending))])) !== pending
  );
}

describe('the frame and its page', () => {
  it('[HB12] is ready when the configuration and the document have come', async () => {
    const { host, bridge } = pair(
      '?frameEditorId=p&parentOrigin=https%3A%2F%2Fhost.test&type=embedded&documentType=cell',
    );
    host.command('init', { config: { lang: 'de' } });
    expect(await isSettled(bridge.ready)).toBe(false);
    host.command('openDocument', { doc: { key: 'k' } });
    expect(await bridge.ready).toMatchObject({
      type: 'embedded',
      documentType: 'cell',
      document: { key: 'k' },
      editorConfig: { lang: 'de' },
    });
  });

  it('[HB12] a document before the configuration is not enough', async () => {
    const { host, bridge } = pair();
    host.command('openDocument', { doc: { key: 'k' } });
    expect(await isSettled(bridge.ready)).toBe(false);
  });

  it('[HB13] what another origin or another window says is ignored', async () => {
    const { host, bridge } = pair();
    const heard: string[] = [];
    bridge.on('showMessage', ({ msg }) => heard.push(msg));
    const message = JSON.stringify({ command: 'showMessage', data: { msg: 'evil' } });
    host.post(message, { origin: 'https://evil.test' });
    host.post(message, { origin: 'https://ds.test' });
    host.post(message, { source: {} });
    host.command('showMessage', { msg: 'good' });
    expect(heard).toEqual(['good']);
  });

  it('[HB13] the page is addressed by its origin', () => {
    const { host, bridge } = pair();
    bridge.send('onDocumentStateChange', true);
    expect(host.heard).toEqual([{ event: 'onDocumentStateChange', data: true, frameEditorId: 'place' }]);
    expect(host.targets).toEqual(['https://host.test']);
    const file = pair('?parentOrigin=null');
    file.bridge.send('onAppReady');
    expect(file.host.targets).toEqual(['*']);
  });

  it('[HB14] a command that comes before its handler waits for it, in order and once', () => {
    const { host, bridge } = pair();
    host.command('showMessage', { msg: 'a' });
    host.command('requestClose');
    host.command('showMessage', { msg: 'b' });
    const heard: string[] = [];
    const stop = bridge.on('showMessage', ({ msg }) => heard.push(msg));
    host.command('showMessage', { msg: 'c' });
    stop();
    bridge.on('requestClose', () => heard.push('close'));
    expect(heard).toEqual(['a', 'b', 'c', 'close']);
  });

  it('[HB14] a command that comes while handlers are replaced waits for the next, once; others pass', () => {
    const { host, bridge } = pair();
    const heard: string[] = [];
    const hear = (who: string) => bridge.on('showMessage', ({ msg }) => heard.push(`${who} ${msg}`));
    const stop = hear('old');
    bridge.on('requestClose', () => heard.push('close'));
    bridge.hold(['requestClose']);
    host.command('showMessage', { msg: 'one' });
    host.command('requestClose');
    expect(heard).toEqual(['close']);
    stop();
    hear('new');
    host.command('showMessage', { msg: 'two' });
    bridge.release();
    bridge.release();
    host.command('showMessage', { msg: 'three' });
    expect(heard).toEqual(['close', 'new one', 'new two', 'new three']);
  });

  it('[HB14] a page cannot pile up commands without end', () => {
    const { host, bridge } = pair();
    for (let count = 0; count < 1_000; count++) host.command('showMessage', { msg: String(count) });
    const heard: string[] = [];
    bridge.on('showMessage', ({ msg }) => heard.push(msg));
    expect(heard).toHaveLength(100);
  });

  it('[HB15] whatever the page sends, data have the right types and nothing throws', () => {
    const { host, bridge } = pair();
    bridge.on('refreshHistory', ({ data }) => expect(Array.isArray(data.history)).toBe(true));
    bridge.on('setUsers', ({ users }) => expect(Array.isArray(users)).toBe(true));
    bridge.on('processRightsChange', ({ enabled }) => expect(typeof enabled).toBe('boolean'));
    bridge.on('openDocumentFromBinary', (bytes) => expect(bytes).toBeInstanceOf(ArrayBuffer));
    const names = fc.constantFrom(
      'refreshHistory',
      'setUsers',
      'processRightsChange',
      'openDocumentFromBinary',
      'constructor',
      '__proto__',
    );
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record({ command: names, data: fc.anything() })), (message) => {
        host.post(message);
      }),
    );
    for (const command of Object.keys(commandSchemas)) {
      for (const data of [undefined, null, {}, [], 'x', 5, true]) host.command(command, data);
    }
    host.post('{"command":');
  });

  it('[HB16] a page opened by itself says so', async () => {
    const host = new FakeHost('?parentOrigin=https%3A%2F%2Fhost.test');
    const alone = { ...host.frame };
    Object.assign(alone, { parent: alone });
    const bridge = new HostBridge(alone);
    bridge.send('onAppReady');
    await expect(bridge.ready).rejects.toThrow(NoHostError);
    await expect(bridge.ready).rejects.toThrow('cannot be opened by itself');
    for (const search of ['', '?parentOrigin=nonsense']) {
      const { host: silent, bridge: lost } = pair(search);
      lost.send('onAppReady');
      await expect(lost.ready).rejects.toThrow(NoHostError);
      expect(silent.heard).toEqual([]);
    }
  });

  it('[HB16] hears nothing after it was closed', () => {
    const { host, bridge } = pair();
    expect(host.isListenedTo).toBe(true);
    bridge.close();
    expect(host.isListenedTo).toBe(false);
  });
});
