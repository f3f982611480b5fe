import { modeIn } from '../../client/protocol/plain-values.ts';
import { kinds, pageOf } from '../../model/kinds.ts';
import type { ReadyConfig } from './config.ts';
import { type FrameChannel, openChannel } from './frame-channel.ts';
import { at, type JsonObject } from './json.ts';
import type { Send } from './methods.ts';
import { createNotice } from './notice.ts';
import type { ScriptAddress } from './script-address.ts';
import { say, type Text, text } from './texts.ts';

export interface EditorHost {
  /** Whether the page has a handler for an event. */
  listensTo(event: string): boolean;
  /** The events that the page has handlers for. */
  events(): string[];
  fire(event: string, data: unknown): void;
  warn(warning: Text): void;
  report(problem: Text, errorCode: number): void;
}

const scriptError = -24;

/**
 * An editor in its frame, in the place of an element of the page. The frame says `onAppReady` whenever it has loaded,
 * also after a reload, and is then sent the configuration; commands that were given before wait for that.
 */
export class EmbeddedEditor {
  readonly mouse: MouseForwarding;
  private readonly host: EditorHost;
  private readonly frame: HTMLIFrameElement;
  private readonly channel: FrameChannel;
  private readonly stopWatching: () => void;
  private config: ReadyConfig;
  private waiting: (() => void)[] | null = [];
  private notice: HTMLElement | null = null;

  constructor(script: ScriptAddress, placeholder: HTMLElement, config: ReadyConfig, host: EditorHost) {
    this.host = host;
    this.config = config;
    const address = frameAddress(script, placeholder.id, config);
    this.frame = createFrame(address, config);
    this.channel = openChannel(this.frame, placeholder.id, (event, data) => this.receive(event, data));
    this.mouse = new MouseForwarding(this.frame, (command, data) => this.channel.send(command, data));
    placeholder.replaceWith(this.frame);
    this.stopWatching = watchLoading(this.frame, () => this.showFailure(text('frameFailed', { address })));
  }

  /** The whole configuration of the document that is open. */
  get openConfig(): JsonObject {
    return this.config.whole;
  }

  /** Whether the page still has the frame; a page may throw it away without a word. */
  get isInPage(): boolean {
    return this.frame.isConnected;
  }

  send(command: string, data?: unknown): void {
    this.whenReady(() => this.channel.send(command, data));
  }

  sendBytes(command: string, bytes: Uint8Array): void {
    this.whenReady(() => this.channel.sendBytes(command, bytes));
  }

  /** The configuration of a newer version of the document, also for the case that the frame reloads. */
  refresh(config: ReadyConfig): void {
    this.config = config;
    this.send('refreshFile', config.whole);
  }

  /** Leaves an element in the place of the frame. */
  close(replacement: HTMLElement): void {
    this.stopWatching();
    this.channel.close();
    this.mouse.detach();
    this.waiting = [];
    this.notice?.remove();
    this.frame.replaceWith(replacement);
  }

  private whenReady(act: () => void): void {
    if (this.waiting) this.waiting.push(act);
    else act();
  }

  private receive(event: string, data: unknown): void {
    if (event === 'onAppReady') this.begin();
    if (event === 'onRequestEditRights' && !this.host.listensTo(event)) {
      this.send('applyEditRights', { allowed: false });
    }
    this.host.fire(event, data);
  }

  private begin(): void {
    this.stopWatching();
    this.hideFailure();
    this.channel.send('init', { config: this.config.editorConfig, handlers: this.host.events() });
    this.channel.send('openDocument', { doc: this.config.document });
    const waiting = this.waiting ?? [];
    this.waiting = null;
    for (const act of waiting) act();
    this.mouse.attach();
  }

  /** The frame stays: if the connection is only slow, the editor comes after all. */
  private showFailure(reason: Text): void {
    this.notice = createNotice([reason], this.config.lang);
    this.frame.before(this.notice);
    this.frame.style.display = 'none';
    this.host.report(reason, scriptError);
  }

  private hideFailure(): void {
    this.notice?.remove();
    this.notice = null;
    this.frame.style.display = '';
  }
}

const allowed = [
  'autoplay',
  'camera',
  'microphone',
  'display-capture',
  'clipboard-read',
  'clipboard-write',
  'fullscreen',
];

/** Address of the editor's page. What it needs before it has the configuration is in the query. */
function frameAddress(script: ScriptAddress, frameEditorId: string, config: ReadyConfig): string {
  const url = new URL(`quire/${pageOf(kinds.named(config.kind)!)}/index.html`, script.apps);
  const mode = modeIn(at(config.editorConfig, 'mode'));
  const query: Record<string, unknown> = {
    lang: config.lang,
    type: config.type,
    documentType: config.kind,
    fileType: config.document.fileType,
    mode: mode === 'edit' ? undefined : mode,
    uitheme: at(config.editorConfig, 'customization.uiTheme'),
    frameEditorId,
    parentOrigin: window.origin,
    shardkey: script.shardKey,
    WOPISrc: at(config.editorConfig, 'wopi.WOPISrc'),
    usid: at(config.editorConfig, 'wopi.UserSessionId'),
  };
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string' && value) url.searchParams.set(name, value);
  }
  return url.href;
}

function createFrame(address: string, config: ReadyConfig): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.src = address;
  frame.name = 'frameEditor';
  frame.title = say(text('frameTitle', { title: String(config.document.title) }), config.lang);
  frame.allow = allowed.join('; ');
  frame.allowFullscreen = true;
  frame.style.border = '0';
  frame.style.width = cssLength(config.width);
  frame.style.height = cssLength(config.height);
  return frame;
}

/** Plain numbers are pixels. */
const cssLength = (size: string | number): string =>
  /^\d+(\.\d+)?$/.test(String(size)) ? `${size}px` : `${size}`;

/** A browser does not tell whether a frame of another origin has loaded its page or an error page. */
const loadTimeoutMs = 60_000;
/** From the page's load event to the first message of the editor, which comes before or soon after. */
const silenceTimeoutMs = 15_000;

/** Calls `onSilent` once if the frame does not load, or loads something that is no editor. Returns how to stop. */
function watchLoading(frame: HTMLIFrameElement, onSilent: () => void): () => void {
  let timer = window.setTimeout(onSilent, loadTimeoutMs);
  const loaded = (): void => {
    clearTimeout(timer);
    timer = window.setTimeout(onSilent, silenceTimeoutMs);
  };
  frame.addEventListener('load', loaded, { once: true });
  return () => {
    clearTimeout(timer);
    frame.removeEventListener('load', loaded);
  };
}

/** Tells the frame of a mouse button that is released outside of it, so that what is dragged there ends. */
class MouseForwarding {
  private readonly frame: HTMLIFrameElement;
  private readonly send: Send;

  constructor(frame: HTMLIFrameElement, send: Send) {
    this.frame = frame;
    this.send = send;
  }

  attach(): void {
    window.addEventListener('mouseup', this.released);
  }

  detach(): void {
    window.removeEventListener('mouseup', this.released);
  }

  private readonly released = ({ clientX, clientY }: MouseEvent): void => {
    const { left, top } = this.frame.getBoundingClientRect();
    this.send('processMouse', { type: 'mouseup', x: clientX - left, y: clientY - top });
  };
}
