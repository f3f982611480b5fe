import { useEffect, useState } from 'preact/hooks';
import { FieldError } from '../../kit/field-error.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { t } from '../../strings/strings.ts';
import type { DialogProps } from '../document-editor.ts';
import { copyOf, formatsOf, type NoCopy, save } from '../download.ts';
import { writtenType } from '../saving/lossy-format.ts';
import { offeredFormats } from './offered-formats.ts';
import './download-dialog.css';

/** Downloads the document in one of the formats that the server can make of it. */
export function DownloadDialog({ editor, onClose }: DialogProps) {
  const [formats, setFormats] = useState<readonly string[]>([writtenType(editor.config.document.fileType)]);
  const own = formats[0]!;
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<NoCopy | null>(null);
  useEffect(() => {
    let isOpen = true;
    void formatsOf(editor).then((found) => {
      if (!isOpen) return;
      if (typeof found === 'string') setProblem(found);
      else setFormats(found);
    });
    return () => {
      isOpen = false;
    };
  }, [editor]);
  const download = async (fileType: string) => {
    setIsBusy(true);
    setProblem(null);
    const copy = await copyOf(editor, fileType);
    setIsBusy(false);
    if (typeof copy === 'string') return setProblem(copy);
    save(copy);
    onClose();
  };
  return (
    <FormDialog
      title={t('dialogs.downloadAs')}
      submitLabel={isBusy ? t('saving.preparing') : t('toolbar.download')}
      onClose={onClose}
      onSubmit={(fields) => void download(String(fields.get('format')))}
      canSubmit={!isBusy}
    >
      <fieldset class="formats">
        <legend class="visually-hidden">{t('dialogs.format')}</legend>
        {offeredFormats(own, formats).map(([type, name]) => (
          <label key={type}>
            <input type="radio" name="format" value={type} defaultChecked={type === own} />
            {name && <span>{t(name)}</span>}
            <span class="format-type">.{type}</span>
          </label>
        ))}
      </fieldset>
      <p role="status">{isBusy && t('saving.preparingFile')}</p>
      <FieldError text={problem && t(`saving.${problem}`)} />
    </FormDialog>
  );
}
