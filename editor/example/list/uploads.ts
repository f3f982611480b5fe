import { signal } from '@preact/signals';
import { t } from '../../strings/strings.ts';
import { refresh } from '../documents.ts';
import { me } from '../me.ts';
import { ServerError, uploadFile } from '../server.ts';
import { maxFileBytes } from '../settings.ts';
import { documentRoute, go } from '../shell/route.ts';
import { tell } from '../shell/toasts.tsx';

/** A file on its way. */
export interface Upload {
  id: number;
  name: string;
  /** From 0 to 1. */
  part: number;
  /** Why it did not arrive. */
  problem: string | null;
}

export const uploads = signal<readonly Upload[]>([]);
let lastId = 0;

function change(id: number, news: Partial<Upload>): void {
  uploads.value = uploads.value.map((upload) => (upload.id === id ? { ...upload, ...news } : upload));
}

export function dismissUpload(id: number): void {
  uploads.value = uploads.value.filter((upload) => upload.id !== id);
}

/** Uploads files one after the other, as the account of the moment. */
export async function uploadAll(files: Iterable<File>): Promise<void> {
  const person = me.value;
  if (!person) return;
  const queued = [...files].map((file) => {
    lastId += 1;
    return { file, upload: { id: lastId, name: file.name, part: 0, problem: null } };
  });
  uploads.value = [...uploads.value, ...queued.map(({ upload }) => upload)];
  for (const { file, upload } of queued) await send(file, upload.id, person.id);
}

async function send(file: File, id: number, person: string): Promise<void> {
  try {
    if (file.size > maxFileBytes()) throw new ServerError('too-large');
    const made = await uploadFile(person, file, (part) => change(id, { part }));
    dismissUpload(id);
    const open = { label: t('example.openIt'), run: () => go(documentRoute(made.id)) };
    tell(t('example.uploaded', { name: file.name }), open);
    await refresh();
  } catch (error) {
    change(id, { problem: error instanceof Error ? error.message : String(error) });
  }
}
