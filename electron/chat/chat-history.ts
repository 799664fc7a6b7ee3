import { failure } from '../../shared/errors/app-error.ts';
import type { ChatOptions } from '../../shared/chat/chat-options.ts';
import type { SentHistory, ShortenedMessage } from '../../shared/chat/chat-patch.ts';
import type { Part, Turn, UserTurn } from '../../shared/chat/chat-thread.ts';
import type { ChatMessage, ContentPart } from '../../shared/protocol/client-event.ts';
import { contextTokens } from '../../shared/protocol/protocol-limits.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { MediaCache } from './media-cache.ts';
import { defaultAnswerTokens } from './is-cut-short.ts';
import { shortenText } from './shorten-text.ts';
import { messageTokens, partTokens, estimateTextTokens } from './chat-tokens.ts';

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
export function buildChatHistory(
  turns: readonly Turn[],
  question: UserTurn,
  options: ChatOptions,
  cache: MediaCache,
  manner = '',
): Outcome<ChatHistory> {
  const slices = options.maxSlices ?? 1;
  const own = options.system?.trim() ?? '';
  const system = own === '' ? manner.trim() : own;
  const room =
    contextTokens -
    spareTokens -
    (options.maxNewTokens ?? defaultAnswerTokens) -
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
