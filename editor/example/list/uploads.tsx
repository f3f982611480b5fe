import { signal } from '@preact/signals';
import { CircleAlert, Upload as UploadIcon, X } from 'lucide-preact';
import { IconButton } from '../../kit/button.tsx';
import { t } from '../../strings/strings.ts';
import { refresh } from '../documents.ts';
import { mayEdit, me } from '../me.ts';
import { ServerError, uploadFile } from '../server.ts';
import { maxFileBytes } from '../settings.ts';
import { documentRoute, go } from '../shell/route.tsx';
import { tell } from '../shell/toasts.tsx';
import './uploads.css';
import { useEffect, useState } from 'preact/hooks';

/** A file that is being uploaded. */
interface Upload {
  id: number;
  name: string;
  /** From 0 to 1. */
  part: number;
  /** Why it was not uploaded. */
  problem: string | null;
}

const uploads = signal<readonly Upload[]>([]);
let lastId = 0;

function change(id: number, news: Partial<Upload>): void {
  uploads.value = uploads.value.map((upload) => (upload.id === id ? { ...upload, ...news } : upload));
}

function dismissUpload(id: number): void {
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

/** Files that are being uploaded, and those that could not be, with the reason. */
export function UploadList() {
  if (uploads.value.length === 0) return null;
  return (
    <ul class="uploads">
      {uploads.value.map((upload) => (
        <UploadRow key={upload.id} {...upload} />
      ))}
    </ul>
  );
}

function UploadRow({ id, name, part, problem }: Upload) {
  if (problem === null) {
    return (
      <li class="upload">
        <label>
          {t('example.uploading', { name })}
          <progress value={part} max={1} />
        </label>
      </li>
    );
  }
  return (
    <li class="upload upload-failed" role="alert">
      <CircleAlert size={20} aria-hidden="true" />
      <span>
        <strong>{t('example.uploadFailed', { name })}</strong> {problem}
      </span>
      <IconButton label={t('example.dismiss')} onClick={() => dismissUpload(id)}>
        <X size={16} />
      </IconButton>
    </li>
  );
}

const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** Takes files that are dropped anywhere on the page, and says so while they are above it. */
export function DropZone() {
  const [above, setAbove] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      // Without this the browser would leave the page and open the file.
      event.preventDefault();
      setAbove(mayEdit.value);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setAbove(false);
    };
    const drop = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setAbove(false);
      if (mayEdit.value) void uploadAll(event.dataTransfer!.files);
    };
    const control = new AbortController();
    const options = { signal: control.signal };
    addEventListener('dragover', over, options);
    addEventListener('dragleave', leave, options);
    addEventListener('drop', drop, options);
    return () => control.abort();
  }, []);
  if (!above) return null;
  return (
    <div class="drop-zone">
      <span>
        <UploadIcon size={28} aria-hidden="true" />
        {t('example.dropHere')}
      </span>
    </div>
  );
}
