import { ChevronDown, ChevronRight } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { t } from '../../strings/strings.ts';
import type { ListedValue } from '../commands/listed-values.ts';

const mostListed = 1_000;

interface FilterValuesProps {
  values: readonly ListedValue[];
  chosen: ReadonlySet<string>;
  /** A language tag, for the names of months. */
  locale: string;
  onChoose: (chosen: ReadonlySet<string>) => void;
}

/** The values of a column, to be chosen one by one or by what is searched for; days by years and months. */
export function FilterValues({ values, chosen, locale, onChoose }: FilterValuesProps) {
  const [search, setSearch] = useState('');
  const monthName = useMemo(() => {
    const names = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' });
    return (month: number) => names.format(Date.UTC(2024, month - 1, 1));
  }, [locale]);
  const found = (wanted: string) => {
    const lower = wanted.toLowerCase();
    const says = (text: string) => text.toLowerCase().includes(lower);
    return values.filter(({ text, day }) => says(text) || (day && says(`${monthName(day[1])} ${day[0]}`)));
  };
  const listed = search === '' ? values : found(search);
  const toggle = (some: readonly ListedValue[], on: boolean) => {
    const next = new Set(chosen);
    for (const { key } of some) {
      if (on) next.add(key);
      else next.delete(key);
    }
    onChoose(next);
  };
  const box = (label: string, some: readonly ListedValue[]) => (
    <Choice label={label} some={some} chosen={chosen} onToggle={(on) => toggle(some, on)} />
  );
  const counted = (label: string, some: readonly ListedValue[]) =>
    box(`${label} (${some.reduce((sum, { count }) => sum + count, 0)})`, some);
  const days = listed.filter(({ day }) => day !== null);
  const years = grouped(days, 0);
  return (
    <>
      <input
        type="search"
        aria-label={t('filtering.searchValues')}
        placeholder={t('filtering.searchValues')}
        value={search}
        onInput={(event) => {
          const { value } = event.currentTarget;
          setSearch(value);
          // Who searches means what is found, as in other spreadsheets.
          onChoose(new Set((value === '' ? values : found(value)).map(({ key }) => key)));
        }}
      />
      <div class="filter-values">
        {box(t('filtering.allValues'), listed)}
        {years.map(([year, ofYear]) => (
          <Group
            key={year}
            name={String(year)}
            isOpen={years.length === 1 || search !== ''}
            box={counted(String(year), ofYear)}
          >
            {grouped(ofYear, 1).map(([month, ofMonth]) => (
              <Group
                key={month}
                name={`${monthName(month)} ${year}`}
                isOpen={search !== ''}
                box={counted(monthName(month), ofMonth)}
              >
                {ofMonth.map((value) => (
                  <div key={value.key}>{counted(String(value.day![2]), [value])}</div>
                ))}
              </Group>
            ))}
          </Group>
        ))}
        {listed
          .filter(({ day }) => day === null)
          .slice(0, mostListed)
          .map((value) => (
            <div key={value.key}>
              {counted(value.text === '' ? t('filtering.blanks') : value.text, [value])}
            </div>
          ))}
      </div>
    </>
  );
}

/** Days by their year, or by their month. */
function grouped(days: readonly ListedValue[], part: 0 | 1): [number, ListedValue[]][] {
  const groups = new Map<number, ListedValue[]>();
  for (const value of days) {
    const at = value.day![part];
    groups.set(at, [...(groups.get(at) ?? []), value]);
  }
  return [...groups];
}

interface ChoiceProps {
  label: string;
  some: readonly ListedValue[];
  chosen: ReadonlySet<string>;
  onToggle: (on: boolean) => void;
}

/** A box for several values: neither on nor off where only some of them are chosen. */
function Choice({ label, some, chosen, onToggle }: ChoiceProps) {
  const count = some.filter(({ key }) => chosen.has(key)).length;
  const isAll = count === some.length;
  return (
    <label>
      <input
        type="checkbox"
        checked={isAll}
        indeterminate={count > 0 && !isAll}
        onChange={(event) => onToggle(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}

interface GroupProps {
  name: string;
  isOpen: boolean;
  box: ComponentChildren;
  children: ComponentChildren;
}

/** A year or a month that can be opened. */
function Group({ name, isOpen, box, children }: GroupProps) {
  const [turned, setTurned] = useState<boolean | null>(null);
  const open = turned ?? isOpen;
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <div role="group" aria-label={name}>
      <div class="filter-group">
        <button
          type="button"
          aria-expanded={open}
          aria-label={t('filtering.openDates', { name })}
          onClick={() => setTurned(!open)}
        >
          <Chevron size={14} />
        </button>
        {box}
      </div>
      {open && <div class="filter-within">{children}</div>}
    </div>
  );
}
