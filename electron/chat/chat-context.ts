import type { SentHistory, ShortenedMessage } from '../../shared/chat/chat-patch.ts';
import type { Part, Turn, UserTurn } from '../../shared/chat/chat-thread.ts';
import { failure, type Failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { ChatMessage, ContentPart } from '../../shared/protocol/client-event.ts';
import { contextTokens, soundTokens } from '../../shared/protocol/realtime-api.ts';
import { type ChatSettings, ownNumber } from '../../shared/settings/chat-settings.ts';
import { pictureTokens } from '../../shared/vision/vision-frame.ts';
import type { ChatQuestion } from '../talk/session/chat-connection.ts';
import { defaultAnswerTokens } from './answer-stream.ts';
import type { MediaCache } from './media-cache.ts';

/** What a question is made with. */
export interface QuestionDeps {
  readonly media: MediaCache;
  /** Samples of a stored voice, 16 kHz mono. */
  readonly voice?: ((id: string) => Float32Array | undefined) | undefined;
  /** What the model is told where a conversation has no text of its own for that. */
  readonly manner?: (() => string) | undefined;
}

export interface PreparedQuestion {
  readonly turn: ChatQuestion;
  readonly sent: SentHistory;
}

/** More than this is no message any more; a pasted book has half of it. */
const maxTextLength = 1_000_000;

/** Everything that goes to the server with a question, or why it cannot be asked. */
export function prepareQuestion(
  earlier: readonly Turn[],
  question: UserTurn,
  options: ChatSettings,
  { media, voice, manner }: QuestionDeps,
): Outcome<PreparedQuestion> {
  const fault = faultOf(question);
  if (fault !== undefined) return fault;
  const samples = options.voice === 'none' ? undefined : voice?.(options.voice);
  if (options.speech && options.voice !== 'none' && samples === undefined) {
    return failure('answerVoiceGone');
  }
  const history = buildChatHistory(earlier, question, options, media, manner?.());
  if (!history.ok) return history;
  const { messages, sent, hasSound } = history.value;
  const turn: ChatQuestion = {
    messages,
    streaming: options.streaming,
    maxNewTokens: ownNumber(options.maxNewTokens),
    lengthPenalty: ownNumber(options.lengthPenalty),
    maxSlices: ownNumber(options.maxSlices),
    omni: hasSound ? true : undefined,
    speech: options.speech ? { enabled: true, voice: samples } : undefined,
    useTtsTemplate: options.speech ? options.ttsTemplate : undefined,
    thinking: options.thinking ? true : undefined,
  };
  return { ok: true, value: { turn, sent } };
}

function faultOf({ parts }: UserTurn): Failure | undefined {
  const says = parts.some((part) => part.type !== 'text' || part.text.trim() !== '');
  if (!says) {
    return failure('nothingToSend');
  }
  const long = parts.some((part) => part.type === 'text' && part.text.length > maxTextLength);
  if (!long) return undefined;
  return failure('textLong');
}

/** The model's template, and what the estimate may be wrong by. */
const spareTokens = 128;
/** Less than this of a long text is not worth sending. */
const minTextTokens = 64;

export interface ChatHistory {
  readonly messages: readonly ChatMessage[];
  readonly sent: SentHistory;
  readonly hasSound: boolean;
}

/** What is sent with a question: the newest of the conversation that fit into the model's context. */
function buildChatHistory(
  turns: readonly Turn[],
  question: UserTurn,
  options: ChatSettings,
  cache: MediaCache,
  manner = '',
): Outcome<ChatHistory> {
  const slices = ownNumber(options.maxSlices) ?? 1;
  const own = options.system.trim();
  const system = own === '' ? manner.trim() : own;
  const room =
    contextTokens -
    spareTokens -
    (ownNumber(options.maxNewTokens) ?? defaultAnswerTokens) -
    (system === '' ? 0 : estimateTextTokens(system));
  const fitting = fitQuestion(question.parts, room, slices);
  if (!fitting.ok) return fitting;
  let left = room - messageTokens(fitting.value.parts, slices);
  const included: Turn[] = [];
  const sensible = worthTelling(turns);
  for (const exchange of exchangesOf(sensible).toReversed()) {
    left -= exchange.reduce((sum, turn) => sum + messageTokens(partsOf(turn), slices), 0);
    if (left < 0) break;
    included.unshift(...exchange);
  }
  const sentTurns = [...included, { ...question, parts: fitting.value.parts }];
  const messages: ChatMessage[] = system === '' ? [] : [{ role: 'system', content: system }];
  for (const turn of sentTurns) {
    const content = contentOf(partsOf(turn), cache);
    if (content === undefined) return failure('mediaLost');
    append(messages, turn.role, content);
  }
  const leftOut = sensible.length - included.length;
  const hasSound = sentTurns.some((turn) => partsOf(turn).some(({ type }) => type === 'audio'));
  const from = included[0]?.id ?? question.id;
  const { shortened } = fitting.value;
  return { ok: true, value: { messages, sent: { from, leftOut, shortened }, hasSound } };
}

/** A question that failed is not asked again with the next one: it may be why it failed. */
function worthTelling(turns: readonly Turn[]): readonly Turn[] {
  return turns.filter((turn, index) => {
    if (turn.role === 'assistant') return turn.text.trim() !== '';
    const next = turns[index + 1];
    return !(next?.role === 'assistant' && next.state.kind === 'failed' && next.text.trim() === '');
  });
}

/** An answer without its question would look to the model like the beginning of everything. */
function exchangesOf(turns: readonly Turn[]): readonly (readonly Turn[])[] {
  const exchanges: Turn[][] = [];
  for (const turn of turns) {
    const last = exchanges.at(-1);
    if (turn.role === 'user' || last === undefined) exchanges.push([turn]);
    else last.push(turn);
  }
  return exchanges;
}

interface Fitting {
  readonly parts: readonly Part[];
  readonly shortened?: ShortenedMessage | undefined;
}

function fitQuestion(parts: readonly Part[], room: number, slices: number): Outcome<Fitting> {
  const tokens = messageTokens(parts, slices);
  if (tokens <= room) return { ok: true, value: { parts } };
  const longest = parts
    .filter((part) => part.type === 'text')
    .toSorted((a, b) => b.text.length - a.text.length)[0];
  const others = tokens - (longest === undefined ? 0 : partTokens(longest, slices));
  if (longest === undefined || room - others < minTextTokens) return tooMuch(tokens, room);
  const { text, first, last } = shortenText(longest.text, room - others);
  return {
    ok: true,
    value: {
      parts: parts.map((part) => (part === longest ? { ...longest, text } : part)),
      shortened: { characters: longest.text.length, first, last },
    },
  };
}

function tooMuch(tokens: number, room: number): Outcome<never> {
  const most = Math.max(0, room);
  return failure('tooMuch', { tokens, most });
}

function partsOf(turn: Turn): readonly Part[] {
  return turn.role === 'user' ? turn.parts : [{ type: 'text', text: turn.text }];
}

function contentOf(parts: readonly Part[], cache: MediaCache): readonly ContentPart[] | undefined {
  const content: ContentPart[] = [];
  for (const part of parts) {
    if (part.type === 'text') {
      if (part.text !== '') content.push(part);
      continue;
    }
    const media = cache.get(part.media);
    if (media?.type !== part.type) return undefined;
    content.push(
      media.type === 'image'
        ? { type: 'image', image: media.file }
        : { type: 'audio', audio: media.samples },
    );
  }
  return content;
}

/** Two messages of one person in a row become one: models expect that they take turns. */
function append(
  messages: ChatMessage[],
  role: Turn['role'],
  content: readonly ContentPart[],
): void {
  const last = messages.at(-1);
  if (last?.role === role) {
    messages[messages.length - 1] = {
      role,
      content: plain([...contents(last.content), ...content]),
    };
  } else messages.push({ role, content: plain(content) });
}

function contents(content: ChatMessage['content']): readonly ContentPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** Every server takes words alone as a plain text. */
function plain(content: readonly ContentPart[]): ChatMessage['content'] {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === content.length ? texts.join('\n\n') : content;
}

/** What a message costs besides what it says. */
const wrapping = 8;

/**
 * Tokens a text may need. Only the model's own tokenizer knows; these are at the upper end of what
 * is usual, because a history that is too long ends the session, and one that is too short only forgets.
 */
export function estimateTextTokens(text: string): number {
  let tokens = 0;
  for (let index = 0; index < text.length; index += 1) tokens += tokensAt(text, index);
  return Math.ceil(tokens);
}

/** Letters of an alphabet come several to a token, those of Chinese alone. */
function tokensAt(text: string, index: number): number {
  return text.charCodeAt(index) < 0x80 ? 0.3 : 1;
}

function partTokens(part: Part, slices: number): number {
  switch (part.type) {
    case 'text':
      return estimateTextTokens(part.text);
    case 'image':
      return pictureTokens(slices);
    case 'audio':
      return soundTokens(part.seconds);
  }
}

function messageTokens(parts: readonly Part[], slices: number): number {
  return parts.reduce((sum, part) => sum + partTokens(part, slices), wrapping);
}

export interface ShortenedText {
  readonly text: string;
  readonly first: number;
  readonly last: number;
}

const between = '\n\n[…]\n\n';
const betweenTokens = 8;
/** Of a long paste the beginning says what it is, and the question often stands at its end. */
const shareOfFirst = 2 / 3;

/** The beginning and the end of a text, as much as the tokens allow. */
export function shortenText(text: string, maxTokens: number): ShortenedText {
  const room = Math.max(0, maxTokens - betweenTokens);
  let first = 0;
  for (let spent = tokensAt(text, 0); spent <= room * shareOfFirst && first < text.length;) {
    first += 1;
    spent += tokensAt(text, first);
  }
  let start = text.length;
  for (
    let spent = tokensAt(text, start - 1);
    spent <= room * (1 - shareOfFirst) && start > first;
  ) {
    start -= 1;
    spent += tokensAt(text, start - 1);
  }
  // Half a letter of two units would be no letter.
  if (isLater(text, first)) first -= 1;
  if (isLater(text, start)) start += 1;
  return {
    text: `${text.slice(0, first)}${between}${text.slice(start)}`,
    first,
    last: text.length - start,
  };
}

function isLater(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xdc_00 && code <= 0xdf_ff;
}
