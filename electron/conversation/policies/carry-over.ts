import type { CoreMessages } from '../../../shared/i18n/messages.ts';
import { contextTokens } from '../../../shared/protocol/protocol-limits.ts';
import { lineOf } from './record-line.ts';
import { shortenedLine, turnsAfter } from './shortened-record.ts';
import type { ShortenedRecord } from './shortened-record.ts';
import { estimateTokens, lastTextThatFits } from './token-estimate.ts';
import type { TranscriptTurn } from './transcript.ts';

/** What the next session gets of the transcript, and within how many tokens. */
export interface CarryOverOptions {
  /** Oldest first. */
  readonly turns: readonly TranscriptTurn[];
  /** The person's own, without what was carried over before. */
  readonly instructions: string | undefined;
  readonly messages: CoreMessages['carryOver'];
  /** The oldest in the model's own words, where it has been asked for that. */
  readonly shortened?: ShortenedRecord | undefined;
  readonly maxTokens?: number | undefined;
}

/** An eighth of the model's memory: minutes of talk, and the new session hardly ends the sooner. */
export const recordTokens = contextTokens / 8;

/**
 * Instructions for the session that goes on: the person's own, and after them a short record of what
 * Parley said. The newest stands there word for word. Where not all of it fits, the oldest is what the model itself made of it;
 * of the rest that does not fit there is its first sentence, and the oldest of that is left out.
 */
export function carryOver({
  turns,
  instructions,
  messages,
  shortened,
  maxTokens = recordTokens,
}: CarryOverOptions): string | undefined {
  const { begin, about, end } = messages;
  const frame = estimateTokens(`${begin}\n${about}\n${end}\n`);
  const lines = linesWithin(turns, shortened, messages, maxTokens - frame);
  if (lines.length === 0) return instructions;
  const record = [begin, about, ...lines, end].join('\n');
  return instructions === undefined || instructions.trim() === ''
    ? record
    : `${instructions}\n\n${record}`;
}

function linesWithin(
  turns: readonly TranscriptTurn[],
  shortened: ShortenedRecord | undefined,
  messages: CoreMessages['carryOver'],
  maxTokens: number,
): readonly string[] {
  const whole = turns.reduce((sum, turn) => sum + costOf(lineOf(turn)), 0);
  if (shortened === undefined || whole <= maxTokens) return newestLines(turns, maxTokens);
  const first = shortenedLine(shortened, messages);
  return [first, ...newestLines(turnsAfter(turns, shortened), maxTokens - costOf(first))];
}

/** Of the record, where not all of it fits. */
const shareWordForWord = 2 / 3;
/** A first sentence that is longer says more than what it stands for is worth. */
const maxSentence = 120;

function newestLines(turns: readonly TranscriptTurn[], maxTokens: number): readonly string[] {
  const whole = turns.map(lineOf);
  if (whole.reduce((sum, line) => sum + costOf(line), 0) <= maxTokens) return whole;
  const lines: string[] = [];
  let left = maxTokens;
  let isShort = false;
  for (const [at, turn] of [...turns.entries()].toReversed()) {
    const line = whole[at] ?? '';
    const cost = costOf(line);
    // Rather the end of the newest than nothing.
    if (lines.length === 0 && cost > left) {
      const rest = lastTextThatFits(line, left - 4);
      return rest === '' ? [] : [`- … ${rest}`];
    }
    isShort ||= lines.length > 0 && left - cost < maxTokens * (1 - shareWordForWord);
    const kept = isShort ? shortLineOf(turn) : line;
    if (costOf(kept) > left) return lines;
    lines.unshift(kept);
    left -= costOf(kept);
  }
  return lines;
}

/** With one more for the line's end. */
const costOf = (line: string): number => estimateTokens(line) + 1;

/** The first sentence of a turn, where it has more. */
function shortLineOf(turn: TranscriptTurn): string {
  const line = lineOf(turn);
  const [first = line] = /^.+?(?:[.!?](?=\s)|[。！？])/u.exec(line) ?? [];
  const sentence = first.length > maxSentence ? first.slice(0, maxSentence) : first;
  return sentence.length < line.length ? `${sentence.trimEnd()} …` : line;
}
