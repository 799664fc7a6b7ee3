import { RotateCcw } from 'lucide-react';
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { PageMessages } from '../../../shared/i18n/messages.ts';
import {
  type GenerationSettings,
  maxConfigLength,
} from '../../../shared/settings/assistant-settings.ts';
import {
  type PageSettingsPatch,
  type RedactedSettings,
  allSettings,
  defaultSettings,
} from '../../../shared/settings/settings.ts';
import type { SettingRule } from '../../../shared/settings/setting-rule.ts';
import { useActions, useUiState } from '../../app/app-context.ts';
import {
  IconButton,
  passFocusOn,
  Segments,
  Slider,
  Switch,
  TextArea,
} from '../../design/controls.tsx';
import { Picker } from '../../design/layers.tsx';
import { Row, type RowAria } from '../../design/row.tsx';
import { errorText } from '../../i18n/format.ts';
import { getMessages } from '../../i18n/page-language.ts';
import './setting.css';

interface Props {
  readonly at: SettingId;
  readonly wide?: boolean;
  /** The field whose error is shown; `at` by default. */
  readonly field?: string;
  readonly children: (aria: RowAria) => ReactNode;
}

const controlSelector = 'button:not(:disabled), input, textarea, [tabindex="0"]';

/** A setting in a row. It takes the focus if the user searched for it. */
export function Setting({ at, wide = false, field = at, children }: Props) {
  const { setup } = useActions();
  const text = useSettingText(at);
  const problem = useFieldProblem(field);
  const isTarget = useUiState(({ settingsUi }) => settingsUi.focusTarget === at);
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isTarget) return;
    setup.clearFocusTarget();
    const control = row.current?.querySelector<HTMLElement>(controlSelector);
    row.current?.scrollIntoView({ block: 'center' });
    control?.focus({ focusVisible: true });
  }, [isTarget, setup]);
  return (
    <Row title={text.name} about={text.hint} problem={problem} wide={wide} ref={row}>
      {children}
    </Row>
  );
}

export function SwitchSetting(props: SettingSource<boolean>) {
  const { at, value, patch } = useSetting(props);
  const { setup } = useActions();
  return (
    <Setting at={at}>
      {(aria) => (
        <Switch {...aria} on={value} onSwitch={(on) => void setup.choose(at, patch(on))} />
      )}
    </Setting>
  );
}

interface ChoiceLayout {
  /** For long labels. */
  readonly wide?: boolean;
  /** Shown below the choice. */
  readonly children?: ReactNode;
}

export function ChoiceSetting(props: ChoiceSource & ChoiceLayout) {
  const { wide = false, children } = props;
  const { at, value, patch } = useSetting<string>({ at: props.at });
  const choices = useChoices(props);
  const { setup } = useActions();
  return (
    <Setting at={at} wide={wide}>
      {(aria) => (
        <>
          <Segments
            {...aria}
            value={value}
            choices={choices}
            onChoose={(chosen) => void setup.choose(at, patch(chosen))}
          />
          {children}
        </>
      )}
    </Setting>
  );
}

interface RadioChoiceProps {
  /** Groups the radio buttons. */
  readonly group: string;
  readonly title: string;
  readonly hints: readonly string[];
  readonly chosen: boolean;
  readonly onChoose: () => void;
}

/** A radio button with explanations. */
export function RadioChoice({ group, title, hints, chosen, onChoose }: RadioChoiceProps) {
  return (
    <label className="radio-choice">
      <input type="radio" name={group} checked={chosen} onChange={onChoose} />
      <span>
        <span className="row-name" dir="auto">
          {title}
        </span>
        {hints.map((hint) => (
          <span key={hint} className="row-hint" dir="auto">
            {hint}
          </span>
        ))}
      </span>
    </label>
  );
}

interface PickerFallback {
  /** Shown if the value is not among the choices. */
  readonly fallback?: string;
}

export function PickerSetting(
  props: Partial<SettingSource<string>> & ChoiceSource & PickerFallback,
) {
  const { fallback } = props;
  const { at, value, patch } = useSetting<string>(props);
  const choices = useChoices(props);
  const { setup } = useActions();
  const { name } = useSettingText(at);
  return (
    <Setting at={at}>
      {(aria) => (
        <Picker
          label={name}
          labelledBy={aria['aria-labelledby']}
          describedBy={aria['aria-describedby']}
          value={value}
          choices={choices}
          {...(fallback === undefined ? {} : { fallback })}
          onChoose={(chosen) => void setup.choose(at, patch(chosen))}
        />
      )}
    </Setting>
  );
}

interface SliderScale {
  readonly step: number;
  /** Less than the rule's maximum, if larger values are not useful. */
  readonly max?: number;
  readonly valueText: (value: number) => string;
}

/** A slider over the range of the rule, with a reset to the default. */
export function SliderSetting(props: SettingSource<number> & SliderScale) {
  const { step, valueText } = props;
  const { at, value, patch } = useSetting(props);
  const { min, max } = { ...settingRange(at), ...props };
  const defaultValue = defaultNumber(at);
  const { t } = useTranslation();
  const { setup } = useActions();
  const now = useTypedValue(at, value);
  return (
    <Setting at={at}>
      {(aria) => (
        <>
          <Slider
            {...aria}
            min={min}
            max={max}
            step={step}
            value={now}
            valueText={valueText(now)}
            onValueChange={(next) => setup.edit(at, next, patch(next))}
            onBlur={() => setup.flush(at)}
          />
          {now === defaultValue && <span className="reset-space" />}
          {defaultValue !== undefined && now !== defaultValue && (
            <IconButton
              ref={passFocusOn}
              icon={RotateCcw}
              label={t('settings.reset', { value: valueText(defaultValue) })}
              onClick={() => setup.edit(at, defaultValue, patch(defaultValue))}
            />
          )}
        </>
      )}
    </Setting>
  );
}

interface FurtherFieldsProps
  extends RowAria, Pick<ComponentProps<'textarea'>, 'aria-invalid' | 'onBlur'> {
  readonly value: string;
  readonly onWrite: (text: string) => void;
}

/** Extra `config` fields as a JSON object. */
export function FurtherFields(props: FurtherFieldsProps) {
  return (
    <TextArea
      {...props}
      className="further-fields"
      dir="ltr"
      rows={3}
      maxLength={maxConfigLength}
      spellCheck={false}
      placeholder={'{ "length_penalty": 1.1 }'}
    />
  );
}

/** One group of settings. Sections render only after the settings arrived. */
export function useSettingsGroup<Name extends keyof RedactedSettings>(
  name: Name,
): RedactedSettings[Name] {
  const group = useUiState(({ settings }) => settings?.[name]);
  if (group === undefined)
    throw new Error('A settings section was rendered before the settings arrived.');
  return group;
}

/** The typed value that is not saved yet, or else the stored value. */
export function useTypedValue<Value>(id: SettingId, stored: Value): Value {
  const typed = useUiState(({ settingsUi }) => settingsUi.fields[id]?.typed);
  return typed === undefined ? stored : (typed as Value);
}

/** Whether a request of the field is running. */
export function useIsBusy(field: string): boolean {
  return useUiState(({ settingsUi }) => settingsUi.busy.includes(field));
}

/** The error text of a field, in the page's language. */
export function useFieldProblem(field: string): string | undefined {
  const { t } = useTranslation();
  const problem = useUiState(({ settingsUi }) => settingsUi.fields[field]?.problem);
  return typeof problem === 'object' ? errorText(t, problem) : problem;
}

type Rows = PageMessages['settings']['rows'];
type RowIds<Section extends keyof Rows> = `${Section}.${keyof Rows[Section] & string}`;

/** A setting by section and name. */
export type SettingId = { readonly [Section in keyof Rows]: RowIds<Section> }[keyof Rows];

/**
 * Settings that are stored one level deeper than their id says. For example, `talking.shortMs` is
 * `talking.overlap.shortMs`.
 */
type NestedSettings = {
  readonly [Name in keyof GenerationSettings as `assistant.${Name}`]: GenerationSettings[Name];
} & { readonly 'talking.overlap': boolean; readonly 'talking.shortMs': number };

function settingPath(id: SettingId): readonly string[] {
  if (id === 'talking.overlap') return ['talking', 'overlap', 'enabled'];
  if (id === 'talking.shortMs') return ['talking', 'overlap', 'shortMs'];
  const [group = '', name = ''] = id.split('.');
  const isGeneration = group === 'assistant' && name in defaultSettings.assistant.generation;
  return isGeneration ? [group, 'generation', name] : [group, name];
}

/** The type of the value at an id. */
type ValueAt<Id extends SettingId> = Id extends keyof NestedSettings
  ? NestedSettings[Id]
  : AtPath<RedactedSettings, Id>;

type AtPath<Tree, Id extends SettingId> = Id extends `${infer Group}.${infer Name}`
  ? Tree extends { readonly [G in Group]: { readonly [N in Name]: infer Value } }
    ? Value
    : never
  : never;

type PathId<Value> = {
  readonly [Id in SettingId]: [ValueAt<Id>] extends [never]
    ? never
    : ValueAt<Id> extends Value
      ? Id
      : never;
}[SettingId];

type Choices = PageMessages['settings']['choices'];

/** A setting with a text for each of its values. */
type ChoiceId = {
  readonly [Id in SettingId]: [AtPath<Choices, Id>] extends [never]
    ? never
    : AtPath<Choices, Id> extends Readonly<Record<ValueAt<Id> & string, string>>
      ? Id
      : never;
}[SettingId];

/** The choices are passed in; otherwise they are the values that have texts. */
type ChoiceSource =
  | { readonly at: ChoiceId; readonly choices?: undefined }
  | { readonly at: SettingId; readonly choices: Readonly<Record<string, string>> };

function useChoices({ at, choices }: ChoiceSource): Readonly<Record<string, string>> {
  const { i18n } = useTranslation();
  // `ChoiceId` guarantees that the texts exist.
  return (
    choices ??
    (valueAtPath(getMessages(i18n).settings.choices, at.split('.')) as typeof choices & {})
  );
}

interface BoundSetting<Value> {
  readonly at: SettingId;
  readonly value: Value;
  readonly patch: (value: Value) => PageSettingsPatch;
}

/** An id is enough for most controls. Other settings also pass value and patch. */
type SettingSource<Value> =
  | (Partial<BoundSetting<Value>> & Readonly<Record<'at', PathId<Value>>>)
  | BoundSetting<Value>;

/** The value of a setting and the patch that changes it. */
function useSetting<Value>(
  source: Partial<BoundSetting<Value>> & Pick<BoundSetting<Value>, 'at'>,
): BoundSetting<Value> {
  const { at } = source;
  const stored = useUiState(({ settings }) => valueAtPath(settings, settingPath(at)));
  return {
    // The type of `at` guarantees that the stored value has this type.
    value: stored as Value,
    patch: (next) =>
      settingPath(at).reduceRight<unknown>(
        (part, name) => ({ [name]: part }),
        next,
      ) as PageSettingsPatch,
    ...source,
  };
}

/** The default, if it is a number. */
function defaultNumber(at: SettingId): number | undefined {
  const initial = valueAtPath(defaultSettings, settingPath(at));
  return typeof initial === 'number' ? initial : undefined;
}

/** The range that the setting's rule allows. */
export function settingRange(at: SettingId): { readonly min: number; readonly max: number } {
  const path = settingPath(at).flatMap((name) => ['parts', name]);
  const { range } = valueAtPath(allSettings, path) as SettingRule<number>;
  if (range === undefined) throw new Error(`${at} is not a number setting.`);
  return range;
}

/** The value at a path, or undefined. */
function valueAtPath(tree: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined),
    tree,
  );
}

export interface SettingText {
  readonly name: string;
  readonly hint: string;
  /** Additional search words. */
  readonly also: string;
}

export function useSettingText(id: SettingId): SettingText {
  const { i18n } = useTranslation();
  const [section = '', name = ''] = id.split('.');
  const rows: Readonly<Record<string, Readonly<Record<string, SettingText>>>> =
    getMessages(i18n).settings.rows;
  const text = rows[section]?.[name];
  if (text === undefined) throw new Error(`No text is defined for ${id}.`);
  return text;
}
