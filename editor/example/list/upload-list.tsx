import { CircleAlert, X } from 'lucide-preact';
import { IconButton } from '../../kit/button.tsx';
import { t } from '../../strings/strings.ts';
import { dismissUpload, type Upload, uploads } from './uploads.ts';
import './upload-list.css';

/** Files on their way, and those that did not arrive with the reason. */
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
