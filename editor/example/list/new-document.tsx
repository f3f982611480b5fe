import { Upload } from 'lucide-preact';
import { useRef, useState } from 'preact/hooks';
import { type StringKey, t } from '../../strings/strings.ts';
import { createDocument } from '../actions.ts';
import { mayEdit, me } from '../me.ts';
import { fileTypes, templates } from '../settings.ts';
import { TemplatePreview } from './template-preview.tsx';
import { uploadAll } from './uploads.ts';
import './new-document.css';

/** What a template is called, what is in it, and the title of a document made from it. */
const texts: Readonly<Record<string, readonly [name: StringKey, hint: StringKey, title: StringKey]>> = {
  blank: ['example.templateBlank', 'example.templateBlankHint', 'example.titleBlank'],
  minutes: ['example.templateMinutes', 'example.templateMinutesHint', 'example.templateMinutes'],
  letter: ['example.templateLetter', 'example.templateLetterHint', 'example.templateLetter'],
  report: ['example.templateReport', 'example.templateReportHint', 'example.templateReport'],
};

/** The ways to a new document: a template, or a file from this computer. */
export function NewDocument() {
  const picker = useRef<HTMLInputElement>(null);
  const [making, setMaking] = useState<string | null>(null);
  const disabled = !mayEdit.value || making !== null;
  const create = async (template: string, title: string) => {
    setMaking(template);
    await createDocument(template, title);
    setMaking(null);
  };
  return (
    <section class="new-document" aria-labelledby="new-document">
      <h2 id="new-document">{t('example.newDocument')}</h2>
      <ul class="templates">
        {templates().map((id) => {
          const [name, hint, title] = texts[id] ?? texts.blank!;
          return (
            <li key={id}>
              <button
                type="button"
                class="template"
                disabled={disabled}
                aria-busy={making === id}
                onClick={() => void create(id, t(title))}
              >
                <TemplatePreview template={id} />
                <span class="template-text">
                  <strong>{t(name)}</strong>
                  <small>{t(hint)}</small>
                </span>
              </button>
            </li>
          );
        })}
        <li>
          <button
            type="button"
            class="template template-upload"
            disabled={disabled}
            onClick={() => picker.current?.click()}
          >
            <span class="upload-icon">
              <Upload size={26} aria-hidden="true" />
            </span>
            <span class="template-text">
              <strong>{t('example.upload')}</strong>
              <small>{t('example.uploadHint')}</small>
            </span>
          </button>
          <input
            ref={picker}
            type="file"
            class="visually-hidden"
            tabIndex={-1}
            aria-label={t('example.upload')}
            multiple
            accept={fileTypes()
              .map((type) => `.${type}`)
              .join(',')}
            onChange={(event) => {
              void uploadAll(event.currentTarget.files ?? []);
              event.currentTarget.value = '';
            }}
          />
        </li>
      </ul>
      {!mayEdit.value && (
        <p class="only-reading">{t('example.onlyReading', { name: me.value?.name ?? '' })}</p>
      )}
    </section>
  );
}
