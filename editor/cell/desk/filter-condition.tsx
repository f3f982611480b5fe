import { t } from '../../strings/strings.ts';
import {
  type FilterChoice,
  type FilterCondition,
  type FilterKind,
  filterKinds,
  isCombined,
  valuesTaken,
} from '../commands/filter-conditions.ts';

interface FilterConditionFieldsProps {
  /** Null: the column is filtered by its values. */
  choice: FilterChoice | null;
  /** What was typed is no value that a condition takes. */
  isWrong: boolean;
  onChange: (choice: FilterChoice | null) => void;
}

/** Chooses the condition of a filtered column, and what it compares with; or two of them. */
export function FilterConditionFields({ choice, isWrong, onChange }: FilterConditionFieldsProps) {
  const { first = null, second, either = false } = choice ?? {};
  return (
    <div class="filter-condition">
      <Condition
        label={t('filtering.filterBy')}
        noneLabel={t('filtering.filterByValues')}
        condition={first}
        isWrong={isWrong}
        onChange={(next) =>
          onChange(next && isCombined(next.kind) ? { ...choice, first: next } : next && { first: next })
        }
      />
      {choice && isCombined(choice.first.kind) && (
        <>
          <select
            aria-label={t('filtering.filterBoth')}
            value={second ? (either ? 'or' : 'and') : ''}
            onChange={({ currentTarget: { value } }) =>
              onChange({
                first: choice.first,
                ...(value !== '' && {
                  second: second ?? { ...choice.first, values: [] },
                  either: value === 'or',
                }),
              })
            }
          >
            <option value="">{t('filtering.filterAlone')}</option>
            <option value="and">{t('filtering.filterAnd')}</option>
            <option value="or">{t('filtering.filterOr')}</option>
          </select>
          {second && (
            <Condition
              label={t('filtering.filterSecond')}
              condition={second}
              isSecond
              isWrong={isWrong}
              onChange={(next) => next && onChange({ ...choice, second: next })}
            />
          )}
        </>
      )}
      {isWrong && <p role="alert">{t('filtering.filterValueWrong')}</p>}
    </div>
  );
}

interface ConditionProps {
  label: string;
  /** What stands for no condition; absent where there has to be one. */
  noneLabel?: string;
  condition: FilterCondition | null;
  /** Only conditions of which there may be two are offered. */
  isSecond?: boolean;
  isWrong: boolean;
  onChange: (condition: FilterCondition | null) => void;
}

function Condition({ label, noneLabel, condition, isSecond = false, isWrong, onChange }: ConditionProps) {
  const values = condition?.values ?? [];
  const count = condition ? valuesTaken(condition.kind) : 0;
  return (
    <>
      <select
        aria-label={label}
        value={condition?.kind ?? ''}
        onChange={(event) => {
          const kind = event.currentTarget.value as FilterKind | '';
          onChange(kind === '' ? null : { kind, values });
        }}
      >
        {noneLabel !== undefined && <option value="">{noneLabel}</option>}
        {Object.entries(filterKinds).map(([group, kinds]) => (
          <optgroup key={group} label={t(`filtering.filters_${group as keyof typeof filterKinds}`)}>
            {kinds
              .filter((kind) => !isSecond || isCombined(kind))
              .map((kind) => (
                <option key={kind} value={kind}>
                  {t(`filtering.by_${kind}`)}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
      {Array.from({ length: count }, (_, at) => (
        <input
          key={at}
          type="text"
          aria-label={t('filtering.filterValue')}
          aria-invalid={isWrong}
          value={values[at] ?? ''}
          onInput={(event) =>
            onChange({
              ...condition!,
              values: Object.assign([...values], { [at]: event.currentTarget.value }),
            })
          }
        />
      ))}
    </>
  );
}
