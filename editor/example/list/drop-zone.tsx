import { Upload } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../strings/strings.ts';
import { mayEdit } from '../me.ts';
import { uploadAll } from './uploads.ts';
import './drop-zone.css';

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
        <Upload size={28} aria-hidden="true" />
        {t('example.dropHere')}
      </span>
    </div>
  );
}
