import { Deque } from '../../../shared/collections.ts';
import { estimateTokens, lastTextThatFits, shortenText, toOneLine } from '../../../shared/text.ts';
import type { ToolResult } from '../../../shared/talk/talk-view.ts';
import type { CoreMessages } from '../../../shared/i18n/messages.ts';
import { contextTokens } from '../../../shared/protocol/realtime-api.ts';
import { withInstructions } from '../../../shared/settings/preset.ts';

interface CarryOverOptions {
  /** Oldest first. */
  readonly turns: readonly TranscriptTurn[];
  /** The user's instructions, without an earlier carry-over. */
  readonly instructions: string | undefined;
  readonly messages: CoreMessages['carryOver'];
  /** The oldest turns in the model's words, if it was asked to shorten them. */
  readonly shortened?: ShortenedTranscript | undefined;
  readonly maxTokens?: number | undefined;
}

/** An eighth of the documented context: minutes of talk, at little cost to the new session. */
const defaultMaxTokens = contextTokens / 8;

/**
 * Limit of the transcript in a context of this size, in tokens: the smallest of an eighth of the context, half of what
 * the instructions leave, and the default.
 */
export function carryOverTokens(size: number = contextTokens, instructions?: string): number {
  const free = size - estimateTokens(instructions ?? '');
  return Math.max(0, Math.min(defaultMaxTokens, size / 8, free / 2));
}

/**
 * Appends a transcript to the next session's instructions. If it does not fit, the model's summary
 * replaces the oldest turns, and other old turns are cut or left out.
 */
export function carryOver({
  turns,
  instructions,
  messages,
  shortened,
  maxTokens = defaultMaxTokens,
}: CarryOverOptions): string | undefined {
  const { begin, about, end } = messages;
  const frame = estimateTokens(`${begin}\n${about}\n${end}\n`);
  const lines = linesWithin(turns, shortened, messages, maxTokens - frame);
  if (lines.length === 0) return instructions;
  return withInstructions(instructions, [begin, about, ...lines, end].join('\n'));
}

function linesWithin(
  turns: readonly TranscriptTurn[],
  shortened: ShortenedTranscript | undefined,
  messages: CoreMessages['carryOver'],
  maxTokens: number,
): readonly string[] {
  if (shortened === undefined || fitsWhole(turns, maxTokens)) return newestLines(turns, maxTokens);
  const first = `- ${messages.shortened} ${shortened.text}`;
  const free = maxTokens - lineTokens(first);
  // After the summary was made, the context proved to be smaller, so the summary does not fit.
  if (free < 0) return newestLines(turns, maxTokens);
  return [first, ...newestLines(turnsAfter(turns, shortened), free)];
}

/** If the transcript does not fit, whole turns take up to this share of the limit. Older turns are cut to a sentence. */
const shareWordForWord = 2 / 3;
const maxSentence = 120;

function newestLines(turns: readonly TranscriptTurn[], maxTokens: number): readonly string[] {
  const whole = turns.map(toLine);
  if (fitsWhole(turns, maxTokens)) return whole;
  const lines: string[] = [];
  let free = maxTokens;
  let isShort = false;
  for (const [at, turn] of [...turns.entries()].toReversed()) {
    const line = whole[at] ?? '';
    const cost = lineTokens(line);
    // If even the newest turn is too long, its end is kept.
    if (lines.length === 0 && cost > free) {
      const rest = lastTextThatFits(line, free - 4);
      return rest === '' ? [] : [`- … ${rest}`];
    }
    isShort ||= lines.length > 0 && free - cost < maxTokens * (1 - shareWordForWord);
    const quote = isShort ? toShortLine(turn) : line;
    if (lineTokens(quote) > free) return lines;
    lines.unshift(quote);
    free -= lineTokens(quote);
  }
  return lines;
}

const lineTokens = (line: string): number => estimateTokens(line) + 1;

/** The first sentence of a turn, at most `maxSentence` characters of it. */
function toShortLine(turn: TranscriptTurn): string {
  const line = toLine(turn);
  const [first = line] = /^.+?(?:[.!?](?=\s)|[。！？])/u.exec(line) ?? [];
  const sentence = first.length > maxSentence ? first.slice(0, maxSentence) : first;
  return sentence.length < line.length ? `${sentence.trimEnd()} …` : line;
}

/** A summary in the model's words, up to and including a turn. */
export interface ShortenedTranscript {
  readonly upTo: Pick<TranscriptTurn, 'session' | 'turn'>;
  readonly text: string;
}

/** Whether the whole transcript fits, so that a next session would lose nothing of it. */
export function fitsWhole(turns: readonly TranscriptTurn[], maxTokens: number): boolean {
  return turns.reduce((sum, turn) => sum + lineTokens(toLine(turn)), 0) <= maxTokens;
}

/** Text for the model to shorten, up to and including a turn. */
export interface TranscriptToShorten {
  readonly upTo: ShortenedTranscript['upTo'];
  readonly text: string;
  readonly tokens: number;
}

/**
 * A transcript above this share of its limit is shortened, because it will soon exceed the limit. The newest turns
 * within `shareKeptWhole` of the limit stay whole.
 */
const shareThatFills = 3 / 4;
const shareKeptWhole = 1 / 2;
/** Limit of the text that the model gets to read. */
const maxTokensToRead = 4000;

/**
 * Returns the turns before the newest ones, with the earlier summary, within `maxTokensToRead`; undefined while nothing must be
 * shortened.
 */
export function transcriptToShorten(
  turns: readonly TranscriptTurn[],
  before: ShortenedTranscript | undefined,
  maxTokens: number,
): TranscriptToShorten | undefined {
  const fresh = turnsAfter(turns, before);
  const lines = fresh.map((turn) => ({
    turn,
    line: toLine(turn),
    tokens: lineTokens(toLine(turn)),
  }));
  const all = lines.reduce((sum, { tokens }) => sum + tokens, 0);
  const known = before === undefined ? 0 : lineTokens(before.text);
  if (all + known <= maxTokens * shareThatFills) return undefined;
  let newestTokens = 0;
  let from = lines.length;
  while (from > 0 && newestTokens + (lines[from - 1]?.tokens ?? 0) <= maxTokens * shareKeptWhole) {
    from -= 1;
    newestTokens += lines[from]?.tokens ?? 0;
  }
  const last = lines[from - 1];
  if (last === undefined) return undefined;
  const text: string[] = [];
  let tokens = known;
  for (const { line, tokens: cost } of lines.slice(0, from).toReversed()) {
    if (tokens + cost > maxTokensToRead) break;
    text.unshift(line);
    tokens += cost;
  }
  if (before !== undefined) text.unshift(`- ${before.text}`);
  const { session, turn } = last.turn;
  return text.length === 0 ? undefined : { upTo: { session, turn }, text: text.join('\n'), tokens };
}

/** Turns after those that the summary covers. */
function turnsAfter(
  turns: readonly TranscriptTurn[],
  shortened: ShortenedTranscript | undefined,
): readonly TranscriptTurn[] {
  if (shortened === undefined) return turns;
  const { upTo } = shortened;
  return turns.filter(
    ({ session, turn }) => session > upTo.session || (session === upTo.session && turn > upTo.turn),
  );
}

/**
 * Turns the model's answer into one line that cannot be taken for the transcript's frame; undefined
 * if it has no words or is not shorter than the transcript.
 */
export function cleanShortened(
  answer: string,
  transcript: TranscriptToShorten,
  maxTokens: number,
): string | undefined {
  const spoken = answer.replace(/^\s*<think>.*?(?:<\/think>|$)/su, '');
  const line = toLine({ text: spoken.replace(/^[\s\-*•#]+/u, ''), cut: false }).slice(2);
  const text = wholeSentencesWithin(line, maxTokens);
  if (!/[\p{L}\p{N}]/u.test(text)) return undefined;
  return estimateTokens(text) < transcript.tokens ? text : undefined;
}

function wholeSentencesWithin(text: string, maxTokens: number): string {
  if (estimateTokens(text) <= maxTokens) return text;
  let sentences = '';
  for (const [sentence] of text.matchAll(/.+?(?:[.!?](?=\s|$)|[。！？])\s*/gu)) {
    if (estimateTokens(sentences + sentence) > maxTokens) break;
    sentences += sentence;
  }
  return sentences.trim();
}

function toLine({ text, cut }: Pick<TranscriptTurn, 'text' | 'cut'>): string {
  return `${framedLine(text)}${cut ? ' […]' : ''}`;
}

/** A text as one line that cannot be mistaken for the frame around it. */
function framedLine(text: string): string {
  return `- ${toOneLine(text).replaceAll(/-{3,}/gu, '—')}`;
}

/** Limit of all results in the text of a session. */
const maxResultTokens = 400;
/** Share of the context, without the instructions, that results may take. */
const resultShare = 1 / 8;
/** Limit of one line of a result. */
const maxPartTokens = 120;
/** Limit on the number of results. Earlier sessions have spoken about older ones. */
const maxResults = 5;

/** Formats the newest results for the model; undefined if none fits. */
export function formatResults(
  results: readonly ToolResult[],
  { begin, about, end, asked, returned, answered }: CoreMessages['talkTools'],
  room: { readonly contextTokens: number; readonly instructions: string | undefined },
): { readonly text: string; readonly ids: readonly string[] } | undefined {
  const frame = estimateTokens(`${begin}\n${about}\n${end}\n`);
  const free = (room.contextTokens - estimateTokens(room.instructions ?? '')) * resultShare;
  let remainingTokens = Math.min(maxResultTokens, free) - frame;
  const lines: string[] = [];
  const ids: string[] = [];
  for (const result of results.slice(-maxResults).toReversed()) {
    const part = [
      line(asked, result.asked),
      ...result.calls.map(({ tool, server, response }) =>
        line(`${returned} ${server === '' ? tool : `${server} ${tool}`}:`, response),
      ),
      ...(result.answer === '' ? [] : [line(answered, result.answer)]),
    ];
    const cost = part.reduce((sum, each) => sum + estimateTokens(each) + 1, 0);
    if (cost > remainingTokens) break;
    remainingTokens -= cost;
    lines.unshift(...part);
    ids.unshift(result.id);
  }
  return lines.length === 0 ? undefined : { text: [begin, about, ...lines, end].join('\n'), ids };
}

/** One line that cannot end the frame, because a tool's text may contain the frame's marks. */
function line(label: string, text: string): string {
  const isLong = estimateTokens(text) > maxPartTokens;
  return framedLine(`${label} ${isLong ? shortenText(text, maxPartTokens).text : text}`);
}

/** A turn of Parley, with the words that were heard. The protocol carries no text of the user's words. */
export interface TranscriptTurn {
  /** Number of the session in the conversation, from 1; 0 for turns of an earlier conversation. */
  readonly session: number;
  readonly turn: number;
  readonly text: string;
  readonly cut: boolean;
}

/** Several hours of talk; older turns are dropped. */
const defaultMaxCharacters = 200_000;

/** Parley's turns over all sessions of a conversation, with the words that were heard. */
export class Transcript {
  readonly #maxCharacters: number;
  readonly #turns = new Deque<TranscriptTurn>();
  #characters = 0;
  #session = 0;
  /** Turns of the current session that may continue. */
  readonly #open = new Set<number>();

  constructor(maxCharacters: number = defaultMaxCharacters) {
    this.#maxCharacters = maxCharacters;
  }

  /** Adds turns from an earlier conversation. */
  recall(turns: readonly Pick<TranscriptTurn, 'text' | 'cut'>[]): void {
    for (const [turn, { text, cut }] of turns.entries())
      if (text.trim() !== '')
        this.#put(this.#turns.length, { session: 0, turn, text: text.trim(), cut });
  }

  /** Starts a session: turn numbers restart, and open turns count as cut. */
  begin(): void {
    this.end();
    this.#session += 1;
  }

  /** @param text everything heard of the turn so far */
  setHeard(turn: number, text: string): void {
    const words = text.trim();
    if (words === '') return;
    const at = this.#find(turn);
    const before = this.#turns.at(at);
    if (before?.cut === true) return;
    if (before === undefined) this.#open.add(turn);
    this.#put(at, { session: this.#session, turn, text: words, cut: false });
  }

  cut(turn: number): void {
    this.#open.delete(turn);
    const at = this.#find(turn);
    const before = this.#turns.at(at);
    if (before !== undefined) this.#turns.set(at, { ...before, cut: true });
  }

  complete(turn: number): void {
    this.#open.delete(turn);
  }

  /** Cuts the turns that are still open. */
  end(): void {
    for (const turn of this.#open) this.cut(turn);
  }

  turns(): readonly TranscriptTurn[] {
    return [...this.#turns];
  }

  /** Searches from the end, because a known turn is among the last few. */
  #find(turn: number): number {
    for (let at = this.#turns.length - 1; at >= 0; at -= 1) {
      const previous = this.#turns.at(at);
      if (previous === undefined || previous.session !== this.#session || previous.turn < turn)
        break;
      if (previous.turn === turn) return at;
    }
    return this.#turns.length;
  }

  #put(at: number, turn: TranscriptTurn): void {
    this.#characters += turn.text.length - (this.#turns.at(at)?.text.length ?? 0);
    this.#turns.set(at, turn);
    while (this.#characters > this.#maxCharacters && this.#turns.length > 1) {
      this.#characters -= this.#turns.shift()?.text.length ?? 0;
    }
  }
}
