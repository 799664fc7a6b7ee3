import { useTranslation } from 'react-i18next';
import type { PageMessages } from '../../../shared/i18n/messages.ts';
import type { GenerationSettings } from '../../../shared/settings/assistant-settings.ts';
import type {
  PageSettingsPatch,
  RedactedSettings,
} from '../../../shared/settings/redacted-settings.ts';
import type { SettingRule } from '../../../shared/settings/setting-rule.ts';
import { allSettings, defaultSettings } from '../../../shared/settings/settings.ts';
import { useUiState } from '../../app/use-app-context.ts';
import { errorText } from '../../i18n/error-text.ts';
import { getMessages } from '../../i18n/page-language.ts';

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

/** Settings nested deeper than the id of their row. */
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
export type ValueAt<Id extends SettingId> = Id extends keyof NestedSettings
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

/** The choices are passed in, or are those that have texts. */
export type ChoiceSource =
  | { readonly at: ChoiceId; readonly choices?: undefined }
  | { readonly at: SettingId; readonly choices: Readonly<Record<string, string>> };

export function useChoices({ at, choices }: ChoiceSource): Readonly<Record<string, string>> {
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
export type SettingSource<Value> =
  | (Partial<BoundSetting<Value>> & Readonly<Record<'at', PathId<Value>>>)
  | BoundSetting<Value>;

/** The value of a setting and the patch that changes it. */
export function useSetting<Value>(
  source: Partial<BoundSetting<Value>> & Pick<BoundSetting<Value>, 'at'>,
): BoundSetting<Value> {
  const { at } = source;
  const stored = useUiState(({ settings }) => valueAtPath(settings, settingPath(at)));
  return {
    // The type of `at` guarantees it.
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
export function defaultNumber(at: SettingId): number | undefined {
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
