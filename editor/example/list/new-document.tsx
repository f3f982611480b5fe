import { Upload } from 'lucide-preact';
import { useRef, useState } from 'preact/hooks';
import { type StringKey, t } from '../../strings/strings.ts';
import { createDocument } from '../actions.ts';
import { mayEdit, me } from '../me.ts';
import { fileTypes, templates } from '../settings.ts';
import { uploadAll } from './uploads.tsx';
import './new-document.css';

/** What a template is called, what is in it, and the title of a document made from it. */
const texts: Readonly<Record<string, readonly [name: StringKey, hint: StringKey, title: StringKey]>> = {
  blank: ['example.templateBlank', 'example.templateBlankHint', 'example.titleBlank'],
  minutes: ['example.templateMinutes', 'example.templateMinutesHint', 'example.templateMinutes'],
  letter: ['example.templateLetter', 'example.templateLetterHint', 'example.templateLetter'],
  report: ['example.templateReport', 'example.templateReportHint', 'example.templateReport'],
  workbook: ['example.templateBlankSheet', 'example.templateBlankSheetHint', 'example.titleBlankSheet'],
  budget: ['example.templateBudget', 'example.templateBudgetHint', 'example.templateBudget'],
  schedule: ['example.templateSchedule', 'example.templateScheduleHint', 'example.templateSchedule'],
  figures: ['example.templateFigures', 'example.templateFiguresHint', 'example.templateFigures'],
};

/** The ways to a new document: a template, or a file from this computer. */
export function NewDocument() {
  const [making, setMaking] = useState<string | null>(null);
  const disabled = !mayEdit.value || making !== null;
  const of = (fileType: string) => templates().flatMap((one) => (one.fileType === fileType ? [one.id] : []));
  const create = async (template: string, title: string) => {
    setMaking(template);
    await createDocument(template, title);
    setMaking(null);
  };
  return (
    <section class="new-document" aria-labelledby="new-document">
      <h2 id="new-document">{t('example.newDocument')}</h2>
      <ul class="templates">
        {of('docx').map((id) => (
          <TemplateTile key={id} id={id} disabled={disabled} making={making} create={create} />
        ))}
        <UploadTile disabled={disabled} />
      </ul>
      {of('xlsx').length > 0 && (
        <>
          <h2 id="new-spreadsheet">{t('example.newSpreadsheet')}</h2>
          <ul class="templates" aria-labelledby="new-spreadsheet">
            {of('xlsx').map((id) => (
              <TemplateTile key={id} id={id} disabled={disabled} making={making} create={create} />
            ))}
          </ul>
        </>
      )}
      {!mayEdit.value && (
        <p class="only-reading">{t('example.onlyReading', { name: me.value?.name ?? '' })}</p>
      )}
    </section>
  );
}

interface TemplateTileProps {
  id: string;
  disabled: boolean;
  /** The template that is being made a document of. */
  making: string | null;
  create: (template: string, title: string) => Promise<void>;
}

function TemplateTile({ id, disabled, making, create }: TemplateTileProps) {
  const [name, hint, title] = texts[id] ?? texts.blank!;
  return (
    <li>
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
}

/** Opens the browser's window to choose files. */
function UploadTile({ disabled }: { disabled: boolean }) {
  const picker = useRef<HTMLInputElement>(null);
  return (
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
  );
}

/** Lines of a drawn page: [x, y, width, height, class]. */
type Bar = readonly [x: number, y: number, width: number, height: number, look?: string];

/** The lines between cells. */
const grid: readonly Bar[] = [
  ...Array.from({ length: 13 }, (_, at): Bar => [6, 12 + at * 8, 78, 0.8]),
  ...Array.from({ length: 5 }, (_, at): Bar => [6 + at * 19.3, 12, 0.8, 96]),
];

const previews: Readonly<Record<string, readonly Bar[]>> = {
  blank: [],
  workbook: grid,
  budget: [
    ...grid,
    [6, 12, 78, 8, 'ink'],
    ...[21, 29, 37, 45, 53, 61].map((y): Bar => [9, y + 2.5, 13, 2.5]),
    [47, 23.5, 12, 2.5, 'ink'],
    [47, 31.5, 9, 2.5, 'ink'],
    [47, 39.5, 13, 2.5, 'ink'],
    [47, 47.5, 7, 2.5, 'ink'],
    [6, 68, 78, 8, 'band'],
    [47, 71, 13, 2.5, 'ink'],
  ],
  schedule: [
    ...grid,
    [6, 12, 78, 8, 'ink'],
    [26, 20.5, 18, 16, 'chart'],
    [45, 36.5, 19, 24, 'band'],
    [64.5, 28.5, 19, 16, 'chart'],
    [26, 60.5, 18, 24, 'band'],
    [45, 76.5, 19, 16, 'chart'],
  ],
  figures: [
    [8, 14, 74, 5, 'ink'],
    ...[24, 32, 40].map((y): Bar => [8, y, 74, 4, 'band']),
    [12, 92, 8, 18, 'chart'],
    [26, 78, 8, 32, 'chart'],
    [40, 66, 8, 44, 'chart'],
    [54, 84, 8, 26, 'chart'],
    [68, 72, 8, 38, 'chart'],
    [8, 110, 74, 1, 'ink'],
  ],
  minutes: [
    [12, 14, 30, 6, 'ink'],
    [12, 24, 66, 1, 'ink'],
    [12, 31, 34, 2.5],
    [12, 36, 28, 2.5],
    [12, 45, 22, 3.5, 'ink'],
    [16, 52, 40, 2.5],
    [16, 57, 32, 2.5],
    [16, 62, 36, 2.5],
    [12, 72, 66, 6, 'ink'],
    [12, 78, 66, 6, 'band'],
    [12, 90, 66, 6, 'band'],
    [14, 86, 24, 2.5],
    [52, 86, 14, 2.5],
  ],
  letter: [
    [12, 14, 44, 6, 'ink'],
    [12, 24, 66, 1, 'ink'],
    [12, 32, 24, 2.5],
    [12, 37, 20, 2.5],
    [60, 45, 18, 2.5],
    [12, 54, 36, 3.5, 'ink'],
    [12, 62, 64, 2.5],
    [12, 67, 66, 2.5],
    [12, 72, 58, 2.5],
    [12, 81, 66, 2.5],
    [12, 86, 44, 2.5],
    [12, 98, 22, 2.5],
    [12, 104, 28, 3, 'ink'],
  ],
  report: [
    [12, 14, 38, 6, 'ink'],
    [12, 24, 66, 1, 'ink'],
    [12, 31, 66, 2.5],
    [12, 36, 52, 2.5],
    [14, 76, 8, 18, 'chart'],
    [28, 62, 8, 32, 'chart'],
    [42, 54, 8, 40, 'chart'],
    [56, 68, 8, 26, 'chart'],
    [12, 94, 66, 1],
    [12, 102, 60, 2.5],
    [12, 107, 40, 2.5],
    [12, 45, 22, 3.5, 'ink'],
  ],
};

/** A drawn page that shows what a template looks like. */
function TemplatePreview({ template }: { template: string }) {
  return (
    <svg class="template-preview" viewBox="0 0 90 120" aria-hidden="true" focusable="false">
      <rect class="preview-page" x="0.5" y="0.5" width="89" height="119" rx="3" />
      {(previews[template] ?? []).map(([x, y, width, height, look = 'line']) => (
        <rect
          key={`${x} ${y}`}
          class={`preview-${look}`}
          x={x}
          y={y}
          width={width}
          height={height}
          rx="0.8"
        />
      ))}
      {(template === 'blank' || template === 'workbook') && (
        <path class="preview-plus" d="M45 48v24M33 60h24" />
      )}
    </svg>
  );
}
