import type {
  SentHistory,
  ShortenedMessage,
  AssistantTurn,
  Part,
  Turn,
  UserTurn,
} from '../../shared/chat/chat-thread.ts';
import { failure, type Failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { FoundPassage } from '../../shared/memory/memory-view.ts';
import {
  type ChatMessage,
  type ChatQuestion,
  type ContentPart,
  contextTokens as documentedTokens,
  soundTokens,
} from '../../shared/protocol/realtime-api.ts';
import { type ChatSettings, explicitNumber } from '../../shared/settings/assistant-settings.ts';
import { withInstructions } from '../../shared/settings/preset.ts';
import { estimateTokens, shortenText } from '../../shared/text.ts';
import { pictureTokens } from '../../shared/vision/vision-frame.ts';
import { toolListTokens, wrapCall, wrapResponse } from '../tools/tool-prompt.ts';
import { defaultAnswerTokens } from './answer-stream.ts';
import type { MediaCache } from './attachments.ts';

export interface QuestionDeps {
  readonly media: MediaCache;
  /** The context of the server's sessions; the documented size by default. */
  readonly contextTokens?: (() => number | undefined) | undefined;
  /** Returns a stored voice as 16 kHz mono samples. */
  readonly voice?: ((id: string) => Float32Array | undefined) | undefined;
  /** The system prompt for conversations that set none. */
  readonly defaultSystemPrompt?: (() => string) | undefined;
  /** The text about the user that follows this system prompt. */
  readonly memory?: FormatChatMemory | undefined;
  readonly formatPast?: ((found: readonly FoundPassage[]) => string | undefined) | undefined;
}

interface QuestionExtras {
  readonly toolText?: string | undefined;
  readonly past?: readonly FoundPassage[] | undefined;
}

/** `isOwn`: the user wrote this system prompt for the conversation. */
export type FormatChatMemory = (system: string, isOwn: boolean) => string | undefined;

export interface PreparedQuestion {
  readonly turn: ChatQuestion;
  readonly sent: SentHistory;
}

/** Limit in characters. A pasted book has half as many. */
const maxTextLength = 1_000_000;

/** Builds the request for a question, or fails with the reason. */
export function prepareQuestion(
  earlier: readonly Turn[],
  question: UserTurn,
  options: ChatSettings,
  { media, contextTokens, voice, defaultSystemPrompt, memory, formatPast }: QuestionDeps,
  { toolText = '', past = [] }: QuestionExtras = {},
): Outcome<PreparedQuestion> {
  const problem = questionProblem(question);
  if (problem !== undefined) return problem;
  const samples = options.voice === 'none' ? undefined : voice?.(options.voice);
  if (options.speech && options.voice !== 'none' && samples === undefined)
    return failure('answerVoiceGone');
  const ownPrompt = options.system.trim();
  const prompt = ownPrompt === '' ? (defaultSystemPrompt?.() ?? '').trim() : ownPrompt;
  const promptWithMemory = withInstructions(prompt, memory?.(prompt, ownPrompt !== ''));
  const system = withInstructions(promptWithMemory, formatPast?.(past)) ?? '';
  const prompts = { system, tools: toolText, contextTokens: contextTokens?.() };
  const history = buildChatHistory(earlier, question, options, media, prompts);
  if (!history.ok) return history;
  const { messages, sent, hasSound } = history.value;
  const turn: ChatQuestion = {
    messages,
    streaming: options.streaming,
    maxNewTokens: explicitNumber(options.maxNewTokens),
    lengthPenalty: explicitNumber(options.lengthPenalty),
    maxSlices: explicitNumber(options.maxSlices),
    omni: hasSound ? true : undefined,
    speech: options.speech ? { enabled: true, voice: samples } : undefined,
    useTtsTemplate: options.speech ? options.ttsTemplate : undefined,
    thinking: options.thinking ? true : undefined,
  };
  return { ok: true, value: { turn, sent } };
}

function questionProblem({ parts }: UserTurn): Failure | undefined {
  const hasContent = parts.some((part) => part.type !== 'text' || part.text.trim() !== '');
  if (!hasContent) return failure('nothingToSend');
  const isTooLong = parts.some((part) => part.type === 'text' && part.text.length > maxTextLength);
  return isTooLong ? failure('textLong') : undefined;
}

/** Tokens reserved for the model's template and the error of the estimate. */
const spareTokens = 128;

/** Tokens reserved for the list of tools, and for calls and responses; fewer in a smaller context. */
export const toolRoom = (
  size = documentedTokens,
): { readonly list: number; readonly calls: number } => ({
  list: Math.min(toolListTokens, (size * 3) / 16),
  calls: Math.min(2000, size / 4),
});

/** A long text is not shortened to fewer tokens than this. */
const minTextTokens = 64;

export interface ChatHistory {
  readonly messages: readonly ChatMessage[];
  readonly sent: SentHistory;
  readonly hasSound: boolean;
}

/** Builds the history to send: the newest turns that fit into the model's context. */
function buildChatHistory(
  turns: readonly Turn[],
  question: UserTurn,
  options: ChatSettings,
  cache: MediaCache,
  prompts: {
    readonly system: string;
    readonly tools: string;
    readonly contextTokens?: number | undefined;
  },
): Outcome<ChatHistory> {
  const slices = explicitNumber(options.maxSlices) ?? 1;
  const hasTools = prompts.tools !== '';
  const system = [prompts.system, prompts.tools].filter((text) => text !== '').join('\n\n');
  const { contextTokens = documentedTokens } = prompts;
  const room = toolRoom(contextTokens);
  const availableTokens =
    contextTokens -
    spareTokens -
    (explicitNumber(options.maxNewTokens) ?? defaultAnswerTokens) -
    estimateTokens(prompts.system) -
    (hasTools ? room.list + room.calls : 0);
  const fitted = fitQuestion(question.parts, availableTokens, slices);
  if (!fitted.ok) return fitted;
  let remainingTokens = availableTokens - messageTokens(fitted.value.parts, slices);
  const includedTurns: Turn[] = [];
  const sendable = dropFailedQuestions(turns);
  for (const exchange of groupExchanges(sendable).toReversed()) {
    remainingTokens -= exchange.reduce((sum, turn) => sum + turnTokens(turn, slices), 0);
    if (remainingTokens < 0) break;
    includedTurns.unshift(...exchange);
  }
  const sentTurns = [...includedTurns, { ...question, parts: fitted.value.parts }];
  const messages: ChatMessage[] = system === '' ? [] : [{ role: 'system', content: system }];
  for (const turn of sentTurns) {
    if (turn.role === 'assistant') {
      for (const { role, content } of answerMessages(turn)) appendMessage(messages, role, content);
      continue;
    }
    const content = toContent(turn.parts, cache);
    if (content === undefined) return failure('mediaLost');
    appendMessage(messages, turn.role, content);
  }
  const leftOut = sendable.length - includedTurns.length;
  const hasSound = sentTurns.some(
    (turn) => turn.role === 'user' && turn.parts.some(({ type }) => type === 'audio'),
  );
  const from = includedTurns[0]?.id ?? question.id;
  const { shortened } = fitted.value;
  return { ok: true, value: { messages, sent: { from, leftOut, shortened }, hasSound } };
}

/**
 * Drops answers with neither text nor calls, and questions whose answer failed before any text or call, because such a
 * question may have caused the failure.
 */
function dropFailedQuestions(turns: readonly Turn[]): readonly Turn[] {
  return turns.filter((turn, index) => {
    if (turn.role === 'assistant') return !isEmptyAnswer(turn);
    const next = turns[index + 1];
    return !(next?.role === 'assistant' && next.state.kind === 'failed' && isEmptyAnswer(next));
  });
}

const isEmptyAnswer = ({ text, calls }: AssistantTurn): boolean =>
  text.trim() === '' && calls === undefined;

/** Groups turns by question, because an answer without its question would confuse the model. */
function groupExchanges(turns: readonly Turn[]): readonly (readonly Turn[])[] {
  const exchanges: Turn[][] = [];
  for (const turn of turns) {
    const last = exchanges.at(-1);
    if (turn.role === 'user' || last === undefined) exchanges.push([turn]);
    else last.push(turn);
  }
  return exchanges;
}

interface FittedQuestion {
  readonly parts: readonly Part[];
  readonly shortened?: ShortenedMessage | undefined;
}

function fitQuestion(
  parts: readonly Part[],
  room: number,
  slices: number,
): Outcome<FittedQuestion> {
  const tokens = messageTokens(parts, slices);
  if (tokens <= room) return { ok: true, value: { parts } };
  const longest = parts
    .filter((part) => part.type === 'text')
    .toSorted((a, b) => b.text.length - a.text.length)[0];
  const otherTokens = tokens - (longest === undefined ? 0 : partTokens(longest, slices));
  if (longest === undefined || room - otherTokens < minTextTokens)
    return failure('tooMuch', { tokens, most: Math.max(0, room) });
  const { text, first, last } = shortenText(longest.text, room - otherTokens);
  return {
    ok: true,
    value: {
      parts: parts.map((part) => (part === longest ? { ...longest, text } : part)),
      shortened: { characters: longest.text.length, first, last },
    },
  };
}

/** Limit on a response in the history. The answer after it already has what mattered. */
const earlierResponseTokens = 200;

interface TextMessage {
  readonly role: Turn['role'];
  readonly content: readonly [Extract<ContentPart, { readonly type: 'text' }>];
}

/** An answer as the model wrote it, with its calls and their responses in place. */
function answerMessages({ text, calls = [] }: AssistantTurn): readonly TextMessage[] {
  const messages: TextMessage[] = [];
  const add = (role: Turn['role'], text: string): void => {
    if (text.trim() !== '') messages.push({ role, content: [{ type: 'text', text }] });
  };
  let from = 0;
  for (const { at, callName, args, response } of calls) {
    add('assistant', text.slice(from, at));
    add('assistant', wrapCall(callName, args));
    add('user', wrapResponse(callName, response, earlierResponseTokens));
    from = at;
  }
  add('assistant', text.slice(from));
  return messages;
}

function turnTokens(turn: Turn, slices: number): number {
  if (turn.role === 'user') return messageTokens(turn.parts, slices);
  const messages = answerMessages(turn);
  return messages.reduce((sum, { content }) => sum + messageTokens(content, slices), 0);
}

function toContent(parts: readonly Part[], cache: MediaCache): readonly ContentPart[] | undefined {
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

/** Appends a message, or merges it into the last one if the role is the same, because models expect roles to alternate. */
export function appendMessage(
  messages: ChatMessage[],
  role: Turn['role'],
  content: readonly ContentPart[],
): void {
  const last = messages.at(-1);
  if (last?.role === role) {
    messages[messages.length - 1] = {
      role,
      content: simplifyContent([...contentParts(last.content), ...content]),
    };
  } else messages.push({ role, content: simplifyContent(content) });
}

function contentParts(content: ChatMessage['content']): readonly ContentPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** Sends text-only content as a string, which every server accepts. */
function simplifyContent(content: readonly ContentPart[]): ChatMessage['content'] {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === content.length ? texts.join('\n\n') : content;
}

/** Tokens per message besides its content. */
const messageOverheadTokens = 8;

function partTokens(part: Part, slices: number): number {
  switch (part.type) {
    case 'text':
      return estimateTokens(part.text);
    case 'image':
      return pictureTokens(slices);
    case 'audio':
      return soundTokens(part.seconds);
  }
}

function messageTokens(parts: readonly Part[], slices: number): number {
  return parts.reduce((sum, part) => sum + partTokens(part, slices), messageOverheadTokens);
}
