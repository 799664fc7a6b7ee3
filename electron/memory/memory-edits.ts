import { failure, type Outcome } from '../../shared/errors/app-error.ts';
import { foldText } from '../../shared/fold-text.ts';
import { readSentence } from '../../shared/memory/clean-sentence.ts';
import {
  maxMemoryTokens,
  maxSentences,
  type MemorySentence,
  type MemorySource,
} from '../../shared/memory/memory-view.ts';
import { estimateTokens } from '../talk/policies/context-gauge.ts';

export type MemoryEdit = (
  sentences: readonly MemorySentence[],
) => Outcome<readonly MemorySentence[]>;

/** Estimates the tokens of a sentence as a line of the text for the model. */
export function sentenceTokens({ text }: Pick<MemorySentence, 'text'>): number {
  return estimateTokens(`- ${text}`) + 1;
}

/** Tokens of all sentences that are switched on. */
export function memoryTokens(sentences: readonly MemorySentence[]): number {
  return sentences.reduce((sum, each) => sum + (each.on ? sentenceTokens(each) : 0), 0);
}

/** Folded words without punctuation, by which sentences are compared. */
function bareWords(text: string): string {
  return foldText(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

export function hasSentence(
  sentences: readonly Pick<MemorySentence, 'text'>[],
  text: string,
): boolean {
  return sentences.some((each) => bareWords(each.text) === bareWords(text));
}

/** Adds a sentence at the end. */
export function addSentence(added: MemorySentence): MemoryEdit {
  return (sentences) => {
    const text = readSentence(added.text);
    if (!text.ok) return text;
    if (hasSentence(sentences, text.value)) return failure('memoryKnown');
    if (sentences.length >= maxSentences) return failure('memoryMany', { most: maxSentences });
    return checkSize([...sentences, { ...added, text: text.value }]);
  };
}

export interface SentenceChange {
  readonly text?: string | undefined;
  readonly on?: boolean | undefined;
  readonly source?: MemorySource | undefined;
}

/** Replaces parts of a sentence, which keeps its place. */
export function changeSentence(id: string, change: SentenceChange, changedAt: number): MemoryEdit {
  return (sentences) => {
    const before = sentences.find((each) => each.id === id);
    if (before === undefined) return failure('memoryGone');
    const text = readSentence(change.text ?? before.text);
    if (!text.ok) return text;
    const others = sentences.filter((each) => each !== before);
    if (hasSentence(others, text.value)) return failure('memoryKnown');
    const { on = before.on, source = before.source } = change;
    const after = { id, text: text.value, source, on, changedAt };
    const next = sentences.map((each) => (each === before ? after : each));
    // A memory that is over the limit, by a newer estimate of tokens, can still be changed if it gets no larger.
    return memoryTokens(next) <= memoryTokens(sentences)
      ? { ok: true, value: next }
      : checkSize(next);
  };
}

/** Moves a sentence to an index. */
export function moveSentence(id: string, to: number): MemoryEdit {
  return (sentences) => {
    const moved = sentences.find((each) => each.id === id);
    if (moved === undefined) return failure('memoryGone');
    const others = sentences.filter((each) => each !== moved);
    return { ok: true, value: others.toSpliced(to, 0, moved) };
  };
}

export function removeSentence(id: string): MemoryEdit {
  return (sentences) => {
    const others = sentences.filter((each) => each.id !== id);
    return others.length === sentences.length ? failure('memoryGone') : { ok: true, value: others };
  };
}

function checkSize(sentences: readonly MemorySentence[]): Outcome<readonly MemorySentence[]> {
  return memoryTokens(sentences) > maxMemoryTokens
    ? failure('memoryListFull')
    : { ok: true, value: sentences };
}
