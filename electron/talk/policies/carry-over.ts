import type { CoreMessages } from '../../../shared/i18n/messages.ts';
import { contextTokens } from '../../../shared/protocol/realtime-api.ts';
import { estimateTokens, lastTextThatFits } from './context-gauge.ts';
import type { TranscriptTurn } from './transcript.ts';

/** What the next session gets of the transcript, and within how many tokens. */
interface CarryOverOptions {
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

/** Where not all of the record fits, so much of it stands there word for word. */
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

/** What was said up to a turn, in the model's own few words. */
export interface ShortenedRecord {
  readonly upTo: Pick<TranscriptTurn, 'session' | 'turn'>;
  readonly text: string;
}

/** What the model is to put into fewer words, and up to which turn that is. */
export interface RecordToShorten {
  readonly upTo: ShortenedRecord['upTo'];
  readonly text: string;
  readonly tokens: number;
}

/** A record that fills so much of its room is going to be too long; the newest so much is not shortened. */
const shareThatFills = 3 / 4;
const shareKeptWhole = 1 / 2;
/** What the model gets to read has an end, too. */
const maxTokensToRead = 4000;

/** All but the newest turns where not all will fit, with what was shortened before; nothing where all does. */
export function recordToShorten(
  turns: readonly TranscriptTurn[],
  before: ShortenedRecord | undefined,
  maxTokens: number,
): RecordToShorten | undefined {
  const fresh = turnsAfter(turns, before);
  const lines = fresh.map((turn) => ({ turn, line: lineOf(turn), tokens: costOf(lineOf(turn)) }));
  const all = lines.reduce((sum, { tokens }) => sum + tokens, 0);
  const known = before === undefined ? 0 : costOf(before.text);
  if (all + known <= maxTokens * shareThatFills) return undefined;
  let kept = 0;
  let from = lines.length;
  while (from > 0 && kept + (lines[from - 1]?.tokens ?? 0) <= maxTokens * shareKeptWhole) {
    from -= 1;
    kept += lines[from]?.tokens ?? 0;
  }
  const last = lines[from - 1];
  if (last === undefined) return undefined;
  const read: string[] = [];
  let tokens = known;
  for (const { line, tokens: cost } of lines.slice(0, from).toReversed()) {
    if (tokens + cost > maxTokensToRead) break;
    read.unshift(line);
    tokens += cost;
  }
  if (before !== undefined) read.unshift(`- ${before.text}`);
  const { session, turn } = last.turn;
  return read.length === 0 ? undefined : { upTo: { session, turn }, text: read.join('\n'), tokens };
}

/** Those that were said since. */
function turnsAfter(
  turns: readonly TranscriptTurn[],
  shortened: ShortenedRecord | undefined,
): readonly TranscriptTurn[] {
  if (shortened === undefined) return turns;
  const { upTo } = shortened;
  return turns.filter(
    ({ session, turn }) => session > upTo.session || (session === upTo.session && turn > upTo.turn),
  );
}

/** The line that stands for them in the record. */
function shortenedLine(
  { text }: ShortenedRecord,
  { shortened }: CoreMessages['carryOver'],
): string {
  return `- ${shortened} ${text}`;
}

/**
 * A model's answer as one short line; nothing where it cannot be what was asked for. It goes to a model as instructions, so
 * that nothing in it may look like the record's own frame.
 */
export function cleanShortened(
  answer: string,
  asked: RecordToShorten,
  maxTokens: number,
): string | undefined {
  const spoken = answer.replace(/^\s*<think>.*?(?:<\/think>|$)/su, '');
  const line = lineOf({ text: spoken.replace(/^[\s\-*•#]+/u, ''), cut: false }).slice(2);
  const text = wholeSentencesWithin(line, maxTokens);
  if (!/[\p{L}\p{N}]/u.test(text)) return undefined;
  return estimateTokens(text) < asked.tokens ? text : undefined;
}

/** From its beginning on as far as there is room. */
function wholeSentencesWithin(text: string, maxTokens: number): string {
  if (estimateTokens(text) <= maxTokens) return text;
  let kept = '';
  for (const [sentence] of text.matchAll(/.+?(?:[.!?](?=\s|$)|[。！？])\s*/gu)) {
    if (estimateTokens(kept + sentence) > maxTokens) break;
    kept += sentence;
  }
  return kept.trim();
}

/** A turn as one line of the record, which cannot be taken for the record's own. */
function lineOf({ text, cut }: Pick<TranscriptTurn, 'text' | 'cut'>): string {
  const said = text.replaceAll(/\s+/gu, ' ').replaceAll(/-{3,}/gu, '—').trim();
  return `- ${said}${cut ? ' […]' : ''}`;
}
