import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { texts } from '../../strings/en/functions.ts';
import { addLaterTexts, t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { insertFunction } from '../commands/entering.ts';
import { type FunctionCategory, foundFunctions, functionCategories } from '../editing/function-search.ts';
import { type FormulaFunction, takenBy } from '../editing/functions.ts';
import { wordBefore } from '../editing/typed-tokens.ts';
import './function-dialog.css';

await addLaterTexts(texts, {
  de: () => import('../../strings/de/functions.ts'),
  ar: () => import('../../strings/ar/functions.ts'),
});

/** What a function does; null for those of which nothing is said. */
function aboutOf({ name }: FormulaFunction): string | null {
  const key = name.replaceAll('.', '_');
  return Object.hasOwn(texts.aboutFunctions, key)
    ? t(`aboutFunctions.${key as keyof typeof texts.aboutFunctions}`)
    : null;
}

/** Looks for a function and puts it into the formula that is typed, or begins one in the active cell. */
export function FunctionDialog({ editor, onClose }: { editor: CellEditor; onClose: () => void }) {
  const [search, setSearch] = useState(() => begun(editor));
  const [category, setCategory] = useState<FunctionCategory | null>(null);
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const found = foundFunctions(search, category, aboutOf);
  const chosen = found[at];
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at, search, category]);
  const insert = () => {
    if (!chosen) return;
    onClose();
    // Nothing behind the dialog can have the focus before it is gone.
    setTimeout(() => insertFunction(editor, chosen.name));
  };
  return (
    <FormDialog
      title={t('sheet.insertFunction')}
      submitLabel={t('functions.insert')}
      canSubmit={chosen !== undefined}
      onClose={onClose}
      onSubmit={insert}
    >
      <div class="field-row">
        <label class="field">
          {t('functions.search')}
          <input
            data-first
            value={search}
            spellcheck={false}
            autocomplete="off"
            role="combobox"
            aria-expanded="true"
            aria-controls={id}
            aria-activedescendant={chosen && `${id}-${at}`}
            onInput={(event) => {
              setSearch(event.currentTarget.value);
              setAt(0);
            }}
            onKeyDown={(event) => {
              const steps: Readonly<Record<string, number>> = {
                ...{ ArrowDown: 1, ArrowUp: -1, PageDown: 6, PageUp: -6 },
              };
              const step = steps[event.key];
              if (step === undefined) return;
              event.preventDefault();
              setAt(Math.max(0, Math.min(found.length - 1, at + step)));
            }}
          />
        </label>
        <label class="field">
          {t('functions.category')}
          <select
            value={category ?? ''}
            onChange={(event) => {
              setCategory((event.currentTarget.value || null) as FunctionCategory | null);
              setAt(0);
            }}
          >
            <option value="">{t('functions.all')}</option>
            {functionCategories.map((one) => (
              <option key={one} value={one}>
                {t(`functions.${one}`)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div ref={list} id={id} class="function-list" role="listbox" aria-label={t('sheet.functions')}>
        {found.map((one, index) => (
          <div
            key={one.name}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onMouseDown={(event) => {
              event.preventDefault();
              setAt(index);
            }}
            onDblClick={insert}
          >
            <span dir="ltr">
              <b>{one.name}</b>
              {takenBy(one)}
            </span>
            <small>{aboutOf(one)}</small>
          </div>
        ))}
      </div>
      <p role="status">{chosen ? '' : t('functions.none')}</p>
    </FormDialog>
  );
}

/** The beginning of a function that is typed, if there is one that begins so. */
function begun(editor: CellEditor): string {
  const editing = editor.editing.peek();
  const word = editing && editing.from === editing.to ? wordBefore(editing.text, editing.from)?.word : null;
  const isBegun = word && foundFunctions(word, null, () => null)[0]?.name.startsWith(word.toUpperCase());
  return isBegun ? word : '';
}
