import { isJsonObject } from '../protocol/json.ts';
import { chordRule } from '../settings/app-settings.ts';
import { idPattern } from '../settings/setting-rule.ts';

/** Actions that Parley brings. Their names and prompts follow the language until the user edits them. */
export const builtInActionIds = ['explain', 'translate', 'shorten', 'correct', 'reply'] as const;

export type BuiltInActionId = (typeof builtInActionIds)[number];

export const actionIcons = [...builtInActionIds, 'write', 'list', 'ask', 'check', 'star'] as const;

export type ActionIcon = (typeof actionIcons)[number];

/** A named prompt for selected text. */
export interface CursorAction {
  readonly id: string;
  /** Empty for the name of the built-in action. */
  readonly name: string;
  readonly icon: ActionIcon;
  /** Empty for the prompt of the built-in action. */
  readonly prompt: string;
  /** A global key, or `none`. */
  readonly key: string;
  /** When the action runs by its key, the answer replaces the selection at once. */
  readonly inPlace: boolean;
}

export const maxActions = 20;
export const maxActionName = 40;
export const maxActionPrompt = 4000;

export const builtInActions: readonly CursorAction[] = builtInActionIds.map((id) => ({
  id,
  name: '',
  icon: id,
  prompt: '',
  key: 'none',
  inPlace: id !== 'explain' && id !== 'reply',
}));

export function isBuiltInAction(id: string): id is BuiltInActionId {
  return builtInActionIds.some((known) => known === id);
}

/** The user's name of an action, else the built-in one. */
export function actionName(
  { id, name }: Pick<CursorAction, 'id' | 'name'>,
  names: Readonly<Record<BuiltInActionId, string>>,
): string {
  return name === '' && isBuiltInAction(id) ? names[id] : name;
}

/** Undefined if the value from a file or page is not an action. */
export function readAction(value: unknown): CursorAction | undefined {
  if (!isJsonObject(value)) return undefined;
  const { id, name, icon, prompt, key, inPlace } = value;
  if (typeof id !== 'string' || !idPattern.test(id)) return undefined;
  if (typeof name !== 'string' || name.length > maxActionName) return undefined;
  if (typeof prompt !== 'string' || prompt.length > maxActionPrompt) return undefined;
  const knownIcon = actionIcons.find((known) => known === icon);
  const chord = chordRule.accepts(key);
  if (knownIcon === undefined || chord === undefined) return undefined;
  if (typeof inPlace !== 'boolean') return undefined;
  // Only built-in actions have texts of Parley, so another action needs a name and a prompt.
  if (!isBuiltInAction(id) && (name.trim() === '' || prompt.trim() === '')) return undefined;
  return { id, name, icon: knownIcon, prompt, key: chord, inPlace };
}
