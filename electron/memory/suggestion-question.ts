import { fillMessage, type CoreMessages } from '../../shared/i18n/messages.ts';
import type { MemorySentence } from '../../shared/memory/memory-view.ts';
import { estimateTokens } from '../talk/policies/context-gauge.ts';

/** The text of a stored talk or chat, which the model reads for suggestions. */
export interface SaidText {
  readonly title: string;
  /** Oldest first. */
  readonly turns: readonly { readonly by: 'person' | 'parley'; readonly text: string }[];
}

export interface SuggestionQuestion {
  readonly system: string;
  readonly request: string;
}

/** Limit on the part of the conversation that the model reads. Older turns are left out. */
const maxTokens = 3000;
const maxTurnLength = 2000;

/** Asks for new and changed sentences about the user. */
export function suggestionQuestion(
  { suggestSystem, suggest, knownNone, user, assistant }: CoreMessages['memory'],
  known: readonly MemorySentence[],
  turns: SaidText['turns'],
): SuggestionQuestion {
  const list = known.map(({ text }, index) => `${index + 1}. ${text}`);
  const lines: string[] = [];
  let tokens = 0;
  for (const { by, text } of turns.toReversed()) {
    const line = `${by === 'person' ? user : assistant}${text.slice(0, maxTurnLength).replaceAll(/\s+/gu, ' ').trim()}`;
    tokens += estimateTokens(line) + 1;
    if (tokens > maxTokens) break;
    lines.unshift(line);
  }
  return {
    system: suggestSystem,
    request: fillMessage(suggest, {
      known: list.length === 0 ? knownNone : list.join('\n'),
      conversation: lines.join('\n'),
    }),
  };
}
