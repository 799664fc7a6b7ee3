import { useTranslation } from 'react-i18next';
import type { PageMessages } from '../../../shared/i18n/messages.ts';
import type {
  PageSettingsPatch,
  RedactedSettings,
} from '../../../shared/settings/redacted-settings.ts';
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

/** What stands among the settings where an id is also a path: a group, and a name within it. */
export type ValueAt<Id extends SettingId> = Id extends `${infer Group}.${infer Name}`
  ? RedactedSettings extends { readonly [G in Group]: { readonly [N in Name]: infer Value } }
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
  const stored = useUiState(({ settings }) => valueAt(settings, at));
  const [group = '', name = ''] = at.split('.');
  return {
    // The id is typed by what stands at it.
    value: stored as Value,
    patch: (next) => ({ [group]: { [name]: next } }),
    ...source,
  };
}

/** What stands at the path that an id is; nothing where it is none. */
export function valueAt(settings: object | undefined, at: SettingId): unknown {
  return at
    .split('.')
    .reduce<unknown>(
      (found, name) =>
        typeof found === 'object' && found !== null ? Reflect.get(found, name) : undefined,
      settings,
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
