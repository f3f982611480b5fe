import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { InputField } from '../../kit/input-field.tsx';
import { SelectField } from '../../kit/select-field.tsx';
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

/** So far keys move in the list. */
const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 6, PageUp: -6 };

/** Looks for a function and puts it into the formula that is typed, or begins one in the active cell. */
export function FunctionDialog({ editor, onClose }: { editor: CellEditor; onClose: () => void }) {
  const search = useFunctionSearch(editor);
  const { found, at, chosen } = search;
  const id = useId();
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
        <InputField
          label={t('functions.search')}
          data-first
          value={search.text}
          spellcheck={false}
          autocomplete="off"
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={chosen && `${id}-${at}`}
          onInput={(event) => search.setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            const step = steps[event.key];
            if (step === undefined) return;
            event.preventDefault();
            search.setAt(Math.max(0, Math.min(found.length - 1, at + step)));
          }}
        />
        <SelectField<FunctionCategory | ''>
          label={t('functions.category')}
          options={[
            ['', t('functions.all')],
            ...functionCategories.map((one) => [one, t(`functions.${one}`)] as const),
          ]}
          value={search.category ?? ''}
          onChoose={(category) => search.setCategory(category || null)}
        />
      </div>
      <FunctionList {...{ id, search, insert }} />
      <p role="status">{chosen ? '' : t('functions.none')}</p>
    </FormDialog>
  );
}

/** What is looked for, what is found, and which of that is chosen. */
function useFunctionSearch(editor: CellEditor) {
  const [text, setText] = useState(() => begun(editor));
  const [category, setCategory] = useState<FunctionCategory | null>(null);
  const [at, setAt] = useState(0);
  const found = foundFunctions(text, category, aboutOf);
  return {
    ...{ text, category, found, at, setAt, chosen: found[at] },
    setText(next: string) {
      setText(next);
      setAt(0);
    },
    setCategory(next: FunctionCategory | null) {
      setCategory(next);
      setAt(0);
    },
  };
}

interface FunctionListProps {
  id: string;
  search: ReturnType<typeof useFunctionSearch>;
  insert: () => void;
}

function FunctionList({ id, search: { text, category, found, at, setAt }, insert }: FunctionListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at, text, category]);
  return (
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
  );
}

/** The beginning of a function that is typed, if there is one that begins so. */
function begun(editor: CellEditor): string {
  const editing = editor.editing.peek();
  const word = editing && editing.from === editing.to ? wordBefore(editing.text, editing.from)?.word : null;
  const isBegun = word && foundFunctions(word, null, () => null)[0]?.name.startsWith(word.toUpperCase());
  return isBegun ? word : '';
}
