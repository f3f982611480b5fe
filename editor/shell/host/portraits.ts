import { effect } from '@preact/signals';
import type { HostCommandData } from '../../frame/host-commands.ts';
import type { OpenDocument } from '../document-editor.ts';

const info = 'info';
const shownInPages = /^(?:https?:\/\/|data:image\/)/i;

/** Asks the embedding page once for the picture of everybody who comes, if it can tell. Returns how to stop. */
export function askForPortraits({ host, facts, config, people }: OpenDocument): () => void {
  if (!config.editorConfig.canRequestUsers) return () => undefined;
  const asked = new Set(facts.portraits.peek().keys());
  return effect(() => {
    const ids = people.value.map(({ userId }) => userId);
    const unknown = [...new Set(ids)].filter((id) => id !== '' && !asked.has(id));
    if (unknown.length === 0) return;
    for (const id of unknown) asked.add(id);
    host.send('onRequestUsers', { c: info, id: unknown });
  });
}

/** The embedding page's answer. */
export function takePortraits({ facts }: OpenDocument, { c, users }: HostCommandData<'setUsers'>): void {
  if (c !== info) return;
  const portraits = new Map(facts.portraits.peek());
  for (const { id, image } of users) {
    if (id !== undefined && image !== undefined && shownInPages.test(image)) portraits.set(id, image);
  }
  facts.portraits.value = portraits;
}
