import { foldText } from '../../shared/fold-text.ts';
import { readSentence } from '../../shared/memory/clean-sentence.ts';
import type { MemorySentence } from '../../shared/memory/memory-view.ts';
import { isJsonObject, parseJsonObject } from '../../shared/protocol/json.ts';
import { splitQuery } from '../recordings/history/history-index.ts';
import { hasSentence } from './memory-edits.ts';
import { refusalOf } from './refuse-suggestion.ts';

/** A sentence that the model proposes. */
export interface ProposedSentence {
  readonly text: string;
  /** The id of the sentence that it replaces. */
  readonly replaces?: string | undefined;
}

const maxSuggestions = 3;
/** Parley ignores a longer answer, which cannot be a list of three sentences. */
const maxAnswerLength = 4000;
/** `- 3: text` or `- text`. */
const listLine = /^[-*•]\s+(?:#?(?<number>\d{1,2})\s*[:：]\s*)?(?<text>.+)$/u;

/**
 * Reads the model's answer: lines that begin with a dash, or JSON lines. A number names a sentence of `known`, counted from 1.
 * Drops what the rules refuse, what is known, and what shares no word with the user.
 */
export function readSuggestions(
  answer: string,
  known: readonly MemorySentence[],
  said: readonly string[],
): readonly ProposedSentence[] {
  if (answer.length > maxAnswerLength) return [];
  const visible = answer.replace(/^\s*<think>.*?(?:<\/think>|$)/su, '');
  const words = new Set(said.flatMap(contentWords));
  const read: ProposedSentence[] = [];
  for (const line of visible.split('\n')) {
    const proposed = readLine(line.trim(), known);
    if (proposed === undefined || read.length === maxSuggestions) continue;
    const isNew =
      !hasSentence(known, proposed.text) && !read.some(({ text }) => text === proposed.text);
    if (isNew && contentWords(proposed.text).some((word) => words.has(word))) read.push(proposed);
  }
  return read;
}

function readLine(line: string, known: readonly MemorySentence[]): ProposedSentence | undefined {
  const fields = line.startsWith('{') ? parseJsonObject(line) : listLine.exec(line)?.groups;
  if (!isJsonObject(fields) || typeof fields['text'] !== 'string') return undefined;
  const text = readSentence(fields['text']);
  // The rules check the line before it is cleaned, because the model may quote an instruction that it read.
  if (!text.ok || refusalOf(fields['text']) !== undefined) return undefined;
  const { number } = fields;
  if (number === undefined) return { text: text.value };
  const replaced = known[Number(number) - 1];
  return replaced && { text: text.value, replaces: replaced.id };
}

/** Words that any sentence about a person may have. */
const commonWords = new Set(
  'i am my me have has had was were is are be been the a an and or but of in on at to for with from not no do does did like likes live lives want wants user 我的 我是 我有 我在 喜欢 用户'.split(
    ' ',
  ),
);

/** Returns the folded words of a text without the common ones. Chinese has no spaces, so it is cut into pairs of characters. */
function contentWords(text: string): readonly string[] {
  return splitQuery(foldText(text))
    .flatMap((word) => (/^\p{sc=Han}{2,}$/u.test(word) ? bigramsOf(word) : [word]))
    .filter((word) => !commonWords.has(word));
}

function bigramsOf(word: string): readonly string[] {
  const characters = Array.from(word);
  return characters.slice(1).map((next, index) => `${characters[index] ?? ''}${next}`);
}
