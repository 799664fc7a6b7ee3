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
import { messagesOf } from '../../i18n/page-language.ts';

/** One group of the settings; the screen shows no section before they have come. */
export function useSettingsGroup<Name extends keyof RedactedSettings>(
  name: Name,
): RedactedSettings[Name] {
  const group = useUiState(({ settings }) => settings?.[name]);
  if (group === undefined) throw new Error('A section stands there before the settings have come.');
  return group;
}

/** What stands in a field: what was typed and is on its way, or else what is set. */
export function useTypedValue<Value>(id: SettingId, set: Value): Value {
  const typed = useUiState(({ settingsUi }) => settingsUi.fields[id]?.typed);
  return typed === undefined ? set : (typed as Value);
}

/** What is wrong with something that has a place of its own on the page, in the page's language. */
export function useFieldProblem(field: string): string | undefined {
  const { t } = useTranslation();
  const problem = useUiState(({ settingsUi }) => settingsUi.fields[field]?.problem);
  return typeof problem === 'object' ? errorText(t, problem) : problem;
}

type Rows = PageMessages['settings']['rows'];
type RowsOf<Section extends keyof Rows> = `${Section}.${keyof Rows[Section] & string}`;

/** A setting by its section and its name within it. */
export type SettingId = { readonly [Section in keyof Rows]: RowsOf<Section> }[keyof Rows];

/** Settings that lie deeper than the id of their row. */
type Deeper = {
  readonly [Name in keyof GenerationSettings as `assistant.${Name}`]: GenerationSettings[Name];
} & { readonly 'talking.overlap': boolean; readonly 'talking.shortMs': number };

function pathOf(id: SettingId): readonly string[] {
  if (id === 'talking.overlap') return ['talking', 'overlap', 'enabled'];
  if (id === 'talking.shortMs') return ['talking', 'overlap', 'shortMs'];
  const [group = '', name = ''] = id.split('.');
  const isGeneration = group === 'assistant' && name in defaultSettings.assistant.generation;
  return isGeneration ? [group, 'generation', name] : [group, name];
}

/** What stands among the settings at an id: as it says itself a group, and a name within it. */
export type ValueAt<Id extends SettingId> = Id extends keyof Deeper
  ? Deeper[Id]
  : InTree<RedactedSettings, Id>;

type InTree<Tree, Id extends SettingId> = Id extends `${infer Group}.${infer Name}`
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

/** A setting that has words for everything that it can be. */
type ChoiceId = {
  readonly [Id in SettingId]: [InTree<Choices, Id>] extends [never]
    ? never
    : InTree<Choices, Id> extends Readonly<Record<ValueAt<Id> & string, string>>
      ? Id
      : never;
}[SettingId];

/** The words of a choice: those that are given, or what the texts have for it. */
export type ChoiceWords =
  | { readonly at: ChoiceId; readonly choices?: undefined }
  | { readonly at: SettingId; readonly choices: Readonly<Record<string, string>> };

export function useChoices({ at, choices }: ChoiceWords): Readonly<Record<string, string>> {
  const { i18n } = useTranslation();
  // As `ChoiceId` says.
  return (
    choices ?? (found(messagesOf(i18n).settings.choices, at.split('.')) as typeof choices & {})
  );
}

interface BoundSetting<Value> {
  readonly at: SettingId;
  readonly value: Value;
  readonly patch: (value: Value) => PageSettingsPatch;
}

/** A path says all that a control needs. A setting that lies elsewhere, or is shown in another form, says how. */
export type SettingSource<Value> =
  | (Partial<BoundSetting<Value>> & Readonly<Record<'at', PathId<Value>>>)
  | BoundSetting<Value>;

/** What stands in a setting's control, and how that is changed. */
export function useSetting<Value>(
  source: Partial<BoundSetting<Value>> & Pick<BoundSetting<Value>, 'at'>,
): BoundSetting<Value> {
  const { at } = source;
  const stored = useUiState(({ settings }) => found(settings, pathOf(at)));
  return {
    // The id is typed by what stands at it.
    value: stored as Value,
    patch: (next) =>
      pathOf(at).reduceRight<unknown>(
        (part, name) => ({ [name]: part }),
        next,
      ) as PageSettingsPatch,
    ...source,
  };
}

/** What a number is at first; nothing where it is none. */
export function defaultNumber(at: SettingId): number | undefined {
  const initial = found(defaultSettings, pathOf(at));
  return typeof initial === 'number' ? initial : undefined;
}

/** Between which ends it may be set, as its rule says. */
export function rangeOf(at: SettingId): { readonly min: number; readonly max: number } {
  const way = pathOf(at).flatMap((name) => ['parts', name]);
  const { range } = found(allSettings, way) as SettingRule<number>;
  if (range === undefined) throw new Error(`${at} is no number.`);
  return range;
}

/** What stands there in a tree; nothing where its way ends before. */
function found(tree: unknown, way: readonly string[]): unknown {
  return way.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined),
    tree,
  );
}

export interface SettingText {
  readonly name: string;
  readonly hint: string;
  /** By what else it may be looked for. */
  readonly also: string;
}

/** What a setting is called in the language of the page. */
export function useSettingText(id: SettingId): SettingText {
  const { i18n } = useTranslation();
  const [section = '', name = ''] = id.split('.');
  const rows: Readonly<Record<string, Readonly<Record<string, SettingText>>>> =
    messagesOf(i18n).settings.rows;
  const text = rows[section]?.[name];
  if (text === undefined) throw new Error(`There are no words for ${id}.`);
  return text;
}
