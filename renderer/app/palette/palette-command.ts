import type { TFunction } from 'i18next';
import type { LucideIcon } from 'lucide-react';
import { foldText, searchWords } from '../../../shared/text.ts';
import type { PageMessages } from '../../../shared/i18n/messages.ts';
import type { WindowKeyName } from '../../../shared/settings/app-settings.ts';
import { windowKeyLabels, withCommandKey } from '../../keys/window-keys.ts';
import type { Actions } from '../actions.ts';
import { selectWindowKeys } from '../page-style.ts';
import type { UiState } from '../ui-state.ts';

/** Groups in display order. */
const paletteGroups = [
  'replay',
  'talk',
  'places',
  'chats',
  'servers',
  'sound',
  'voices',
  'looks',
  'examples',
  'program',
  'settings',
] as const;

type PaletteGroup = (typeof paletteGroups)[number];

export interface PaletteCommand {
  readonly group: PaletteGroup;
  readonly icon: LucideIcon;
  /** The command's name, and the React key of its row. */
  readonly name: string;
  readonly keywords?: string;
  readonly keys?: string;
  /** Listed only in search results, because there are many. */
  readonly isSearchOnly?: true;
  /** The effect is not visible on the current screen, so a confirmation is shown. */
  readonly showsToast?: true;
  readonly run: () => void;
}

export interface PaletteContext {
  readonly view: UiState;
  readonly actions: Actions;
  readonly t: TFunction;
}

/** The names of the `also` messages that are one text. The excluded ones are groups of texts. */
type KeywordsName = Exclude<
  keyof PageMessages['palette']['also'],
  'places' | 'themes' | 'textSize'
>;

export function commandFactory(group: PaletteGroup, { t }: PaletteContext) {
  return (
    also: KeywordsName,
    icon: LucideIcon,
    name: string,
    run: () => void,
    more: Pick<PaletteCommand, 'keys' | 'isSearchOnly' | 'showsToast'> = {},
  ): PaletteCommand => ({ group, icon, name, keywords: t(`palette.also.${also}`), run, ...more });
}

export function keysFor(
  { view, t }: PaletteContext,
  name: WindowKeyName,
): Pick<PaletteCommand, 'keys'> {
  const names = t('keys', { returnObjects: true });
  const [keys] = windowKeyLabels(selectWindowKeys(view), name, names, currentPlatform());
  return keys === undefined ? {} : { keys };
}

export function commandKey(key: string): string {
  return withCommandKey(currentPlatform(), key);
}

function currentPlatform(): string {
  return globalThis.navigator?.platform ?? '';
}

export interface CommandGroup {
  readonly group: PaletteGroup;
  readonly commands: readonly PaletteCommand[];
}

/** Limit per group; more typing narrows the list. */
const maxPerGroup = 12;

/** Rank of a match, lower is better. Undefined if a word does not match. */
function rankCommand(
  { name, keywords = '' }: PaletteCommand,
  words: readonly string[],
): number | undefined {
  const foldedName = foldText(name);
  const foldedKeywords = foldText(keywords);
  let worstRank = 0;
  for (const word of words) {
    const rank = startsWord(foldedName, word)
      ? 0
      : startsWord(foldedKeywords, word)
        ? 1
        : foldedName.includes(word)
          ? 2
          : foldedKeywords.includes(word)
            ? 3
            : undefined;
    if (rank === undefined) return undefined;
    worstRank = Math.max(worstRank, rank);
  }
  return worstRank;
}

/** Words in scripts without spaces match anywhere in a text. */
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

function startsWord(text: string, word: string): boolean {
  if (unspaced.test(word)) return text.includes(word);
  return ` ${text}`.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').includes(` ${word}`);
}

/** Commands that match every typed word, by group. The group with the best match comes first. */
export function findPaletteCommands(
  commands: readonly PaletteCommand[],
  typed: string,
): readonly CommandGroup[] {
  const words = searchWords(typed);
  const ranked = commands.flatMap((command) => {
    if (words.length === 0) return command.isSearchOnly === true ? [] : [{ command, rank: 0 }];
    const rank = rankCommand(command, words);
    return rank === undefined ? [] : [{ command, rank }];
  });
  const groups = paletteGroups.flatMap((group) => {
    const members = ranked
      .filter(({ command }) => command.group === group)
      .toSorted((left, right) => left.rank - right.rank);
    const best = members[0]?.rank;
    if (best === undefined) return [];
    const limit = words.length === 0 ? members.length : maxPerGroup;
    return [{ group, best, commands: members.slice(0, limit).map(({ command }) => command) }];
  });
  return groups.toSorted((left, right) => left.best - right.best);
}
