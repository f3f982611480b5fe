import { signal } from '@preact/signals';
import type { DocumentSummary } from '../../example/api.ts';
import { server } from './server.ts';

/** All documents, the one saved last first; null before they have come. */
export const documents = signal<readonly DocumentSummary[] | null>(null);

/** The server does not answer; what is shown may be old. */
export const disconnected = signal(false);

type Listener = (id: string | null) => void;
const listeners = new Set<Listener>();

/** Calls back with the id of a document that changed, or null when anything may have. Returns how to stop. */
export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

let asking = false;
let askAgain = false;

/** Asks for the documents again. */
export async function refresh(): Promise<void> {
  if (asking) {
    askAgain = true;
    return;
  }
  asking = true;
  try {
    documents.value = await server.list();
    disconnected.value = false;
  } catch {
    disconnected.value = true;
  }
  asking = false;
  if (!askAgain) return;
  askAgain = false;
  await refresh();
}

/**
 * Keeps the documents as the server has them, from now on. A page that is not seen lets its connection go: a browser
 * makes only a few to one host, for all its tabs together.
 */
export function follow(): void {
  let events = document.hidden ? null : listen();
  document.addEventListener('visibilitychange', () => {
    events?.close();
    events = document.hidden ? null : listen();
  });
}

function listen(): EventSource {
  const events = new EventSource('api/events');
  const changed = (id: string | null) => {
    void refresh();
    for (const listener of listeners) listener(id);
  };
  events.addEventListener('change', ({ data }) => changed((JSON.parse(data) as { id: string }).id));
  // Also after a lost connection, which the browser opens again by itself.
  events.addEventListener('open', () => changed(null));
  events.addEventListener('error', () => {
    disconnected.value = true;
  });
  return events;
}
