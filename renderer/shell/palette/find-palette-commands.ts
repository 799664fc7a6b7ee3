import { foldText } from '../../../shared/chat/fold-text.ts';
import { paletteGroups } from './palette-command.ts';
import type { PaletteCommand, PaletteGroup } from './palette-command.ts';

export interface FoundGroup {
  readonly group: PaletteGroup;
  readonly commands: readonly PaletteCommand[];
}

/** So many of one group: who looks for one of many types on. */
const maxPerGroup = 12;

/** In the midst of a name without spaces: between groups no more than a word by which another command is known. */
const inUnspacedName = 1;
const startsOther = 2;

function rankOfWord(called: string, others: string, word: string): number | undefined {
  if (startsWord(called, word)) return 0;
  if (unspaced.test(word) && called.includes(word)) return inUnspacedName;
  if (startsWord(others, word)) return startsOther;
  if (called.includes(word)) return 3;
  return others.includes(word) ? 4 : undefined;
}

/** How well it fits, the smallest best; nothing where a word is not in it at all. */
function rankOf({ name, also = '' }: PaletteCommand, words: readonly string[]): number | undefined {
  const called = foldText(name);
  const others = foldText(also);
  let worst = 0;
  for (const word of words) {
    const rank = rankOfWord(called, others, word);
    if (rank === undefined) return undefined;
    worst = Math.max(worst, rank);
  }
  return worst;
}

/** Where words stand without spaces between them, each may begin anywhere, and nobody knows whether it does. */
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

function startsWord(text: string, word: string): boolean {
  return ` ${text}`.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').includes(` ${word}`);
}

/** Those that have every word that was typed, in their groups; the group of the one that fits best comes first. */
export function findPaletteCommands(
  commands: readonly PaletteCommand[],
  typed: string,
): readonly FoundGroup[] {
  const words = foldText(typed).split(/\s+/u).filter(Boolean);
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
    const fit = best === inUnspacedName ? startsOther : best;
    return [{ group, fit, commands: own.slice(0, most).map(({ command }) => command) }];
  });
  return groups.toSorted((one, other) => one.fit - other.fit);
}
