import { InputField } from '../../../kit/input-field.tsx';
import { SelectField } from '../../../kit/select-field.tsx';
import { t } from '../../../strings/strings.ts';
import type { ConditionDraft } from '../../commands/conditions.ts';
import { datePeriods } from '../../shown/date-periods.ts';
import { CheckField } from '../check-field.tsx';
import { ColorField } from './color-field.tsx';
import { colorOf, type Theme } from './condition-look.ts';
import { ruleOptions } from './condition-words.ts';
import { iconPoints, iconSteps, seeksText, shownConditionValue, shownStep } from './typed-condition.ts';

const iconSets = [
  ...['3Arrows', '3ArrowsGray', '3Flags', '3TrafficLights1', '3Signs', '3Symbols', '4Arrows', '4Rating'],
  ...['5Arrows', '5Rating', '5Quarters', '3Stars', '3Triangles', '5Boxes'],
];

interface FieldsProps {
  /** The rule as it was. */
  draft: ConditionDraft;
}

interface TypedFieldsProps extends FieldsProps {
  /** The kind that is chosen. */
  type: string;
}

interface IconSetProps {
  /** The set that is chosen. */
  icons: string;
  onIcons: (icons: string) => void;
}

/** What stands beside the kind of a rule and says more of it. */
export function ConditionDetail({ type, draft, icons, onIcons }: TypedFieldsProps & IconSetProps) {
  if (seeksText(type))
    return (
      <InputField key="text" label={t('ruleDialogs.text')} name="text" defaultValue={draft.text ?? ''} />
    );
  if (type === 'timePeriod')
    return (
      <SelectField
        key="period"
        label={t('ruleDialogs.period')}
        name="period"
        options={ruleOptions('period', datePeriods)}
        first={draft.period}
      />
    );
  if (type === 'aboveAverage')
    return (
      <SelectField
        key="average"
        label={t('ruleDialogs.comparison')}
        name="average"
        options={[
          ['above', t('ruleDialogs.above')],
          ['below', t('ruleDialogs.below')],
        ]}
        first={draft.aboveAverage === false ? 'below' : undefined}
      />
    );
  if (type !== 'iconSet') return null;
  const options = ruleOptions('icons', iconSets);
  const other = draft.icons !== undefined && !iconSets.includes(draft.icons) ? draft.icons : null;
  return (
    <SelectField
      key="icons"
      label={t('ruleDialogs.icons')}
      name="icons"
      options={other === null ? options : [...options, [other, other]]}
      value={icons}
      onChoose={onIcons}
    />
  );
}

interface ValuesProps extends TypedFieldsProps {
  /** How many values are asked for. */
  count: number;
  locale: string;
}

/** What cells are compared with, or the formula that they make true. */
export function ConditionValues({ type, draft, count, locale }: ValuesProps) {
  const field = (name: string, at: number, label: string) => (
    <InputField
      key={`${name} ${type}`}
      label={label}
      name={name}
      defaultValue={shownConditionValue(draft, at, { type, locale })}
      spellcheck={false}
    />
  );
  return (
    <div class={count > 1 ? 'field-row' : ''}>
      {field('one', 0, t(type === 'expression' ? 'ruleDialogs.formula' : 'ruleDialogs.value'))}
      {count > 1 && field('two', 1, t('ruleDialogs.secondValue'))}
    </div>
  );
}

/** How many of the highest or lowest are meant. */
export function RankFields({ draft }: FieldsProps) {
  return (
    <div class="field-row">
      <SelectField
        label={t('ruleDialogs.comparison')}
        name="end"
        options={[
          ['top', t('ruleDialogs.highest')],
          ['bottom', t('ruleDialogs.lowest')],
        ]}
        first={draft.bottom === true ? 'bottom' : undefined}
      />
      <InputField
        label={t('ruleDialogs.howMany')}
        name="rank"
        type="number"
        min={1}
        max={1000}
        defaultValue={String(draft.rank ?? 10)}
      />
      <CheckField name="percent" label={t('sheet.percent')} isOn={draft.percent === true} />
    </div>
  );
}

interface DrawnFieldsProps extends TypedFieldsProps {
  theme: Theme;
  icons: string;
  locale: string;
}

/** How what a rule draws looks. */
export function DrawnFields({ type, draft, theme, icons, locale }: DrawnFieldsProps) {
  if (type === 'colorScale') return <ScaleFields draft={draft} theme={theme} />;
  const hidesValue = (
    <CheckField
      name="hidesValue"
      label={t('ruleDialogs.hidesValue')}
      isOn={draft.type === type && draft.showsValue === false}
    />
  );
  if (type === 'dataBar')
    return (
      <div class="field-row">
        <ColorField
          name="bar"
          label={t('ruleDialogs.barColor')}
          color={colorOf(draft.color, theme) ?? '#638ec6'}
        />
        <CheckField name="solid" label={t('ruleDialogs.solid')} isOn={draft.solid === true} />
        {hidesValue}
      </div>
    );
  if (type !== 'iconSet') return null;
  return (
    <>
      {iconPoints(draft, icons).map(
        (point, at) => at > 0 && <StepField key={`${icons} ${at}`} {...{ point, at, locale }} />,
      )}
      <div class="field-row">
        <CheckField name="reversed" label={t('ruleDialogs.reversed')} isOn={draft.reversed === true} />
        {hidesValue}
      </div>
    </>
  );
}

interface StepFieldProps {
  point: ReturnType<typeof iconPoints>[number];
  /** Of which icon, counted from 0. */
  at: number;
  locale: string;
}

/** From where on cells have an icon. */
function StepField({ point, at, locale }: StepFieldProps) {
  return (
    <div class="field-row">
      <InputField
        label={t('ruleDialogs.iconFrom', { number: at + 1 })}
        name={`step${at}`}
        defaultValue={shownStep(point, locale)}
        spellcheck={false}
      />
      <SelectField
        label={t('ruleDialogs.iconStep')}
        name={`stepType${at}`}
        options={ruleOptions('step', iconSteps)}
        first={point.type}
      />
    </div>
  );
}

/** Of a scale of two colours there is none in the middle. */
function ScaleFields({ draft, theme }: FieldsProps & { theme: Theme }) {
  const scale = draft.points?.map(({ color }) => colorOf(color, theme)) ?? [];
  return (
    <div class="field-row">
      <ColorField name="low" label={t('ruleDialogs.lowest')} color={scale[0] ?? '#f8696b'} />
      <ColorField
        name="middle"
        label={t('ruleDialogs.middle')}
        color={(scale.length > 2 ? scale[1] : null) ?? '#ffeb84'}
        isOn={scale.length !== 2}
      />
      <ColorField name="high" label={t('ruleDialogs.highest')} color={scale.at(-1) ?? '#63be7b'} />
    </div>
  );
}
