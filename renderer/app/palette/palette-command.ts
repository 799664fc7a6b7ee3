import type { TFunction } from 'i18next';
import type { LucideIcon } from 'lucide-react';
import { foldText, searchWords } from '../../../shared/fold-text.ts';
import type { PageMessages } from '../../../shared/i18n/messages.ts';
import type { WindowKeyName } from '../../../shared/settings/key-settings.ts';
import { windowKeySigns, withCommandKey } from '../../keys/window-keys.ts';
import type { Actions } from '../actions.ts';
import { windowKeysOf } from '../page-style.ts';
import type { UiState } from '../ui-state.ts';

/** What belongs together, in the order in which it stands where nothing was typed. */
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
  /** Of its own: it is known by it. */
  readonly name: string;
  /** Other words by which it may be looked for. */
  readonly also?: string;
  readonly keys?: string;
  /** There are many of its kind: it is offered to those only who look for it. */
  readonly sought?: true;
  /** What it does is not to be seen where the person is: it is said that it was done. */
  readonly tells?: true;
  readonly run: () => void;
}

/** What commands are made of. */
export interface PaletteContext {
  readonly view: UiState;
  readonly actions: Actions;
  readonly t: TFunction;
}

/** Other words by which one command is looked for; of a place, a theme or a size there are several. */
type AlsoName = Exclude<keyof PageMessages['palette']['also'], 'places' | 'themes' | 'textSize'>;

/** Makes the commands of one group, each by its other words, its icon, its name and what it does. */
export function commandsOf(group: PaletteGroup, { t }: PaletteContext) {
  return (
    also: AlsoName,
    icon: LucideIcon,
    name: string,
    run: () => void,
    more: Pick<PaletteCommand, 'keys' | 'sought' | 'tells'> = {},
  ): PaletteCommand => ({ group, icon, name, also: t(`palette.also.${also}`), run, ...more });
}

/** The first key that does it, where one does. */
export function keysOf(
  { view, t }: PaletteContext,
  name: WindowKeyName,
): Pick<PaletteCommand, 'keys'> {
  const names = t('keys', { returnObjects: true });
  const [keys] = windowKeySigns(windowKeysOf(view), name, names, platformNow());
  return keys === undefined ? {} : { keys };
}

/** With Control, or Command where there is one. */
export function commandKey(key: string): string {
  return withCommandKey(platformNow(), key);
}

function platformNow(): string {
  return globalThis.navigator?.platform ?? '';
}

export interface FoundGroup {
  readonly group: PaletteGroup;
  readonly commands: readonly PaletteCommand[];
}

/** So many of one group: who looks for one of many types on. */
const maxPerGroup = 12;

/** How well it fits, the smallest best; nothing where a word is not in it at all. */
function rankOf({ name, also = '' }: PaletteCommand, words: readonly string[]): number | undefined {
  const called = foldText(name);
  const others = foldText(also);
  let worst = 0;
  for (const word of words) {
    const rank = startsWord(called, word)
      ? 0
      : startsWord(others, word)
        ? 1
        : called.includes(word)
          ? 2
          : others.includes(word)
            ? 3
            : undefined;
    if (rank === undefined) return undefined;
    worst = Math.max(worst, rank);
  }
  return worst;
}

/** Where words stand without spaces between them, each may begin anywhere. */
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

function startsWord(text: string, word: string): boolean {
  if (unspaced.test(word)) return text.includes(word);
  return ` ${text}`.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').includes(` ${word}`);
}

/** Those that have every word that was typed, in their groups; the group of the one that fits best comes first. */
export function findPaletteCommands(
  commands: readonly PaletteCommand[],
  typed: string,
): readonly FoundGroup[] {
  const words = searchWords(typed);
  const ranked = commands.flatMap((command) => {
    if (words.length === 0) return command.sought === true ? [] : [{ command, rank: 0 }];
    const rank = rankOf(command, words);
    return rank === undefined ? [] : [{ command, rank }];
  });
  const groups = paletteGroups.flatMap((group) => {
    const own = ranked
      .filter(({ command }) => command.group === group)
      .toSorted((one, other) => one.rank - other.rank);
    const best = own[0]?.rank;
    if (best === undefined) return [];
    const most = words.length === 0 ? own.length : maxPerGroup;
    return [{ group, best, commands: own.slice(0, most).map(({ command }) => command) }];
  });
  return groups.toSorted((one, other) => one.best - other.best);
}
