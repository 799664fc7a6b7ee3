import type { CoreMessages } from '../../../shared/i18n/messages.ts';
import { lineOf } from './record-line.ts';
import { estimateTokens } from './token-estimate.ts';
import type { TranscriptTurn } from './transcript.ts';

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

/** Of the room for the record: from there on it is going to be too long, and so much of it stays word for word. */
const shareThatFills = 3 / 4;
const shareWordForWord = 1 / 2;
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
  while (from > 0 && kept + (lines[from - 1]?.tokens ?? 0) <= maxTokens * shareWordForWord) {
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
export function turnsAfter(
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
export function shortenedLine(
  { text }: ShortenedRecord,
  { shortened }: CoreMessages['carryOver'],
): string {
  return `- ${shortened} ${text}`;
}

const costOf = (line: string): number => estimateTokens(line) + 1;

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
