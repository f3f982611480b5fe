import http from 'k6/http';
import { changesOf } from './changes.js';
import { sign } from './jwt.js';
import { metrics } from './metrics.js';
import { settings } from './settings.js';
import { dial } from './transport.js';

/** Clients of the protocol wait so long for the answers to what they ask, milliseconds. */
const openWithinMs = 60_000;
const answerWithinMs = 10_000;
/** Who was refused the turn to save asks again after this long, milliseconds. */
const askAgainMs = 500;

/** Somebody in a document: signs in, opens it, and saves now and then until told to stop. */
export class Editor {
  constructor(key, user, onEnd) {
    this.key = key;
    this.user = user;
    this.onEnd = onEnd;
    this.saves = 0;
    this.syncIndex = 0;
    this.over = false;
    this.timers = {};
    this.dialledAtMs = Date.now();
    this.claims = this.#claims();
    this.token = sign(this.claims, settings.secret);
    this.connection = dial(
      { ...settings, key, token: this.token },
      { open: () => undefined, message: (message) => this.#receive(message), end: (why) => this.#lost(why) },
    );
    this.#expect('documentOpen', openWithinMs);
  }

  /** Goes away without a word, as a closed tab does. */
  leave() {
    if (this.over) return;
    this.#end();
    metrics.closes.add(1);
    this.connection.close();
  }

  #receive(message) {
    if (this.over) return;
    switch (message.type) {
      case 'license':
        this.authSentAtMs = Date.now();
        this.connection.send(this.#auth());
        return;
      case 'auth':
        metrics.auth.add(Date.now() - this.authSentAtMs);
        this.syncIndex = Math.max(this.syncIndex, message.quireSyncIndex || 0);
        return;
      case 'authChanges':
        this.syncIndex += message.changes.length;
        this.connection.send({ type: 'authChangesAck' });
        return;
      case 'documentOpen':
        this.#opened(message.data).catch((error) => this.#fail('model', String(error)));
        return;
      case 'connectState':
        if (message.waitAuth) this.connection.send(this.#unLock());
        return;
      case 'saveLock':
        this.#turn(message.saveLock);
        return;
      case 'unSaveLock':
        this.#acknowledged(message);
        return;
      case 'saveChanges':
        this.#others(message);
        return;
      case 'savePartChanges':
      case 'error':
      case 'drop':
      case 'disconnectReason':
        this.#fail(message.type, JSON.stringify(message).slice(0, 300));
        return;
      default:
    }
  }

  /** The document is there to be edited when its model is. */
  async #opened({ status, data }) {
    this.#got('documentOpen');
    if (status !== 'ok' || !data['Editor.bin'])
      return this.#fail('open', `${status} ${JSON.stringify(data)}`);
    const model = await http.asyncRequest('GET', data['Editor.bin'], null, {
      tags: { name: 'Editor.bin' },
      responseType: 'none',
    });
    if (this.over) return;
    if (model.status !== 200) return this.#fail('model', `status ${model.status}`);
    metrics.open.add(Date.now() - this.dialledAtMs);
    metrics.sessions.add(1);
    const everyMs = 60_000 / settings.savesPerMinute;
    if (Number.isFinite(everyMs)) this.#later('save', Math.random() * everyMs, () => this.#ask());
  }

  #ask() {
    if (this.askedAtMs === undefined) this.askedAtMs = Date.now();
    this.connection.send({ type: 'isSaveLock', syncChangesIndex: this.syncIndex });
    this.#expect('saveLock', answerWithinMs);
  }

  #turn(refused) {
    this.#got('saveLock');
    if (refused) {
      metrics.refusedTurns.add(1);
      this.#later('save', askAgainMs * (1 + Math.random() / 5), () => this.#ask());
      return;
    }
    metrics.turn.add(Date.now() - this.askedAtMs);
    this.askedAtMs = undefined;
    this.savedAtMs = Date.now();
    this.connection.send({
      type: 'saveChanges',
      changes: JSON.stringify(changesOf(`${this.user}@${this.savedAtMs}`, this.saves)),
      startSaveChanges: true,
      endSaveChanges: true,
      isCoAuthoring: settings.usersPerDocument > 1,
      isExcel: false,
      deleteIndex: null,
      excelAdditionalInfo: null,
      unlock: false,
      releaseLocks: false,
    });
    this.saves += 1;
    this.#expect('unSaveLock', answerWithinMs);
  }

  #acknowledged({ index, syncChangesIndex }) {
    if (index === -1) return;
    this.#got('unSaveLock');
    metrics.save.add(Date.now() - this.savedAtMs);
    metrics.saves.add(1);
    metrics.changes.add(settings.changesPerSave);
    if (!(syncChangesIndex > this.syncIndex))
      this.#fail('index', `${syncChangesIndex} after ${this.syncIndex}`);
    this.syncIndex = syncChangesIndex;
    const waitMs = 60_000 / settings.savesPerMinute - (Date.now() - this.savedAtMs);
    this.#later('save', Math.max(0, waitMs), () => this.#ask());
  }

  #others({ changes, changesIndex }) {
    this.syncIndex = changesIndex;
    metrics.received.add(changes.length);
    const last = changes[changes.length - 1];
    const sent = last && /@(\d{13})\b/.exec(last.change);
    if (sent) metrics.delivery.add(Math.max(0, Date.now() - Number(sent[1])));
  }

  #expect(type, withinMs) {
    this.#later(`answer ${type}`, withinMs, () => this.#fail('silence', `no ${type} within ${withinMs} ms`));
  }

  #got(type) {
    clearTimeout(this.timers[`answer ${type}`]);
  }

  #later(name, delayMs, task) {
    clearTimeout(this.timers[name]);
    this.timers[name] = setTimeout(() => {
      if (!this.over) task();
    }, delayMs);
  }

  #lost(why) {
    if (!this.over) this.#fail('connection', why);
  }

  #fail(kind, detail) {
    if (this.over) return;
    metrics.errors.add(1, { kind });
    console.error(`${this.key} ${this.user}: ${kind}: ${detail}`);
    this.#end();
    this.connection.close();
    this.onEnd(this);
  }

  #end() {
    this.over = true;
    for (const timer of Object.values(this.timers)) clearTimeout(timer);
  }

  #unLock() {
    return { type: 'unLockDocument', isSave: false, unlock: true, deleteIndex: null, releaseLocks: false };
  }

  #claims() {
    const callbackUrl = settings.callbackUrl || `${settings.baseUrl}/dummyCallback`;
    return {
      documentType: 'word',
      document: {
        key: this.key,
        url: settings.documentUrl,
        title: 'k6.docx',
        fileType: 'docx',
        permissions: { edit: true },
      },
      editorConfig: { callbackUrl, mode: 'edit', lang: 'en', user: { id: this.user, name: this.user } },
    };
  }

  #auth() {
    const { document, editorConfig } = this.claims;
    return {
      type: 'auth',
      docid: this.key,
      documentCallbackUrl: editorConfig.callbackUrl,
      token: 'k6',
      user: { id: this.user, username: this.user, firstname: null, lastname: null, indexUser: -1 },
      editorType: 0,
      lastOtherSaveTime: -1,
      block: [],
      sessionId: null,
      sessionTimeConnect: null,
      sessionTimeIdle: 0,
      documentFormatSave: 65,
      isCloseCoAuthoring: false,
      openCmd: {
        c: 'open',
        id: this.key,
        userid: this.user,
        format: document.fileType,
        url: document.url,
        title: document.title,
        lcid: 9,
        nobase64: true,
        ...(settings.model === 'word' ? { model: 'word' } : {}),
      },
      lang: 'en',
      mode: 'edit',
      permissions: document.permissions,
      encrypted: false,
      IsAnonymousUser: false,
      timezoneOffset: 0,
      coEditingMode: 'fast',
      jwtOpen: this.token,
      supportAuthChangesAck: true,
    };
  }
}
