import type { CallDecision, ToolCall } from '../../shared/chat/chat-thread.ts';
import { appError, type AppError } from '../../shared/errors/app-error.ts';
import type { ChatMessage, ChatQuestion } from '../../shared/protocol/realtime-api.ts';
import type { JsonObject } from '../../shared/protocol/json.ts';
import { estimateTokens } from '../../shared/text.ts';
import type { AnswerEvent } from '../talk/session/chat-connection.ts';
import { type AnswerPiece, CallSplitter } from '../tools/call-splitter.ts';
import { checkArguments } from '../tools/check-arguments.ts';
import { type NamedTool, type Tool, toolKey } from '../tools/tool.ts';
import { cleanResponse, responseTokens, wrapCall, wrapResponse } from '../tools/tool-prompt.ts';
import { appendMessage, toolRoom } from './chat-context.ts';

export interface ChatTools {
  /** Lists the tools that are switched on. */
  readonly list: () => readonly Tool[];
  readonly isAlwaysAllowed: (tool: Tool) => boolean;
  readonly allowAlways: (tool: Tool) => void;
  /** The sentence about an error, for the model. */
  readonly describeError: (error: AppError) => string;
}

interface Deps {
  readonly tools: ChatTools;
  readonly named: readonly NamedTool[];
  /** The system text that lists the tools. */
  readonly toolText: string;
  /** Limit on the responses in one request. */
  readonly callTokens: number;
  readonly question: ChatQuestion;
  /** Keys of the tools that the user allowed in this conversation. */
  readonly allowed: Set<string>;
  readonly newId: () => string;
  /** Gets the text to show, and the events about the answer as a whole. */
  readonly receive: (event: AnswerEvent) => void;
  readonly show: (call: ToolCall) => void;
  readonly ask: (question: ChatQuestion, onEvent: (event: AnswerEvent) => void) => void;
}

/** After this many rounds with calls the model is asked to answer without tools, because it may be in a loop. */
const maxRounds = 8;
const maxCallsPerRound = 8;
/** The third equal call within an answer is refused. */
const maxEqualCalls = 2;
/** Limit on an old response if all responses do not fit. */
const oldResponseTokens = 60;

interface Round {
  readonly text: string;
  readonly calls: readonly ToolCall[];
}

type DoneEvent = Extract<AnswerEvent, { readonly kind: 'done' }>;
type CallPiece = Exclude<AnswerPiece, { readonly kind: 'text' }>;

/**
 * Answers a question with tools. The model's calls are made one after another, each if the user allows it, and their
 * responses are sent back, until the model answers without a call. `receive` gets the answer without the text of calls.
 */
export class CallRounds {
  readonly #deps: Deps;
  readonly #rounds: Round[] = [];
  readonly #equalCalls = new Map<string, number>();
  #splitter = new CallSplitter();
  /** The current round's text as the model sent it, with calls. */
  #streamedText = '';
  #roundText = '';
  /** The text of all rounds as the user sees it, without calls. */
  #shown = '';
  #requested: CallPiece[] = [];
  /** In the last round the model is asked without tools, so that it answers. */
  #isLast = false;
  #isOver = false;
  #decide: ((decision: CallDecision) => void) | undefined;
  #openCall: ToolCall | undefined;
  #stopCall: (() => void) | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  readonly receive = (event: AnswerEvent): void => {
    if (this.#isOver) return;
    switch (event.kind) {
      case 'text':
        this.#streamedText += event.text;
        return this.#addPieces(this.#splitter.push(event.text));
      case 'audio':
        // Once a call was received, the sound that follows is the voice reading the call.
        if (this.#requested.length === 0) this.#deps.receive(event);
        return;
      case 'done':
        void this.#endRound(event);
        return;
      case 'context':
      case 'generated':
      case 'failed':
        this.#deps.receive(event);
    }
  };

  /** Applies the user's decision. Returns false if no such call waits for a decision. */
  decide(id: string, decision: CallDecision): boolean {
    if (this.#openCall?.id !== id || this.#decide === undefined) return false;
    this.#decide(decision);
    return true;
  }

  /** Stops the call that waits or runs. The model is not asked again. */
  stop(): void {
    this.#isOver = true;
    this.#stopCall?.();
    const call = this.#openCall;
    if (call !== undefined) this.#deps.show({ ...call, state: 'stopped' });
    this.#openCall = undefined;
  }

  #addPieces(pieces: readonly AnswerPiece[]): void {
    for (const piece of pieces) {
      if (piece.kind === 'text') this.#showText(piece.text);
      else this.#requested.push(piece);
    }
  }

  #showText(text: string): void {
    const begins = this.#roundText === '' && this.#shown.trim() !== '';
    const gap = begins ? '\n\n'.slice(/\n{0,2}$/u.exec(this.#shown)?.[0].length) : '';
    this.#roundText += text;
    this.#shown += gap + text;
    this.#deps.receive({ kind: 'text', text: gap + text });
  }

  async #endRound(done: DoneEvent): Promise<void> {
    // The end event has the whole text, which seldom differs from the pieces.
    if (done.text.startsWith(this.#streamedText))
      this.#addPieces(this.#splitter.push(done.text.slice(this.#streamedText.length)));
    else if (this.#rounds.length === 0 && this.#requested.length === 0) this.#splitAgain(done.text);
    this.#addPieces(this.#splitter.end());
    if (this.#requested.length === 0 || this.#isLast) {
      this.#isOver = true;
      this.#deps.receive({ ...done, text: this.#shown });
      return;
    }
    const calls: ToolCall[] = [];
    for (const piece of this.#requested.slice(0, maxCallsPerRound)) {
      const call = await this.#answerCall(piece);
      if (this.#isOver) return;
      calls.push(call);
    }
    this.#rounds.push({ text: this.#roundText, calls });
    this.#isLast ||= this.#rounds.length >= maxRounds;
    this.#nextRound();
  }

  /** Splits the end event's text, which differs from the streamed and shown text. */
  #splitAgain(text: string): void {
    this.#splitter = new CallSplitter();
    this.#streamedText = text;
    const pieces = this.#splitter.push(text);
    this.#shown = pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
    this.#roundText = this.#shown;
    this.#addPieces(pieces.filter(({ kind }) => kind !== 'text'));
  }

  #nextRound(): void {
    this.#splitter = new CallSplitter();
    this.#streamedText = '';
    this.#roundText = '';
    this.#requested = [];
    const { question, toolText, callTokens, ask } = this.#deps;
    const earlier = this.#isLast ? withoutToolList(question.messages, toolText) : question.messages;
    ask(
      { ...question, messages: [...earlier, ...roundMessages(this.#rounds, callTokens)] },
      this.receive,
    );
  }

  async #answerCall(piece: CallPiece): Promise<ToolCall> {
    if (piece.kind === 'refused') return this.#refuse('', '{}', refusals[piece.why]);
    const args = JSON.stringify(piece.args);
    const namedTool = this.#deps.named.find(({ callName }) => callName === piece.name);
    if (namedTool === undefined)
      return this.#refuse(piece.name, args, 'There is no such function.');
    const problem = checkArguments(namedTool.tool.schema, piece.args);
    if (problem !== undefined)
      return this.#refuse(piece.name, args, `Wrong arguments: ${problem}.`);
    const key = `${piece.name} ${args}`;
    const times = this.#equalCalls.get(key) ?? 0;
    this.#equalCalls.set(key, times + 1);
    if (times >= maxEqualCalls) {
      this.#isLast = true;
      return this.#refuse(piece.name, args, 'This call was made twice already. Answer without it.');
    }
    return this.#run(namedTool, piece.args, args);
  }

  /** Answers the model with what is wrong with its call, and shows the user that the call failed. */
  #refuse(callName: string, args: string, response: string): ToolCall {
    const found = this.#deps.named.find((tool) => tool.callName === callName)?.tool;
    const tool = { name: found?.name ?? callName, server: found?.server ?? '', isRisky: false };
    const call = { ...this.#newCall(callName, tool, args), state: 'failed', response } as const;
    this.#deps.show(call);
    return call;
  }

  async #run({ callName, tool }: NamedTool, args: Parameters<Tool['run']>[0], argsText: string) {
    const { tools, allowed } = this.#deps;
    const call = this.#newCall(callName, tool, argsText);
    const key = toolKey(tool);
    const isAllowed = !tool.isRisky && (tools.isAlwaysAllowed(tool) || allowed.has(key));
    const decision = isAllowed ? 'once' : await this.#askUser(call);
    if (this.#isOver) return call;
    if (decision === 'deny')
      return this.#close({ ...call, state: 'denied', response: 'The user did not allow this.' });
    if (!this.#isOn(key)) return this.#closeGone(call, tool);
    // Parley asks before each use of a risky tool, even if a page sends "always".
    if (decision === 'chat' && !tool.isRisky) allowed.add(key);
    if (decision === 'always' && !tool.isRisky) tools.allowAlways(tool);
    this.#openCall = { ...call, state: 'running' };
    this.#deps.show(this.#openCall);
    const answer = await tool.run(args, {
      onStop: (stop) => {
        this.#stopCall = stop;
      },
    });
    this.#stopCall = undefined;
    if (this.#isOver) return call;
    const text = answer.ok ? answer.value.text : tools.describeError(answer.error);
    const state = answer.ok && !answer.value.isError ? 'done' : 'failed';
    const response = cleanResponse(text);
    return this.#close({ ...call, state, response, ...(!answer.ok && { error: answer.error }) });
  }

  /** False if the tool was switched off, changed or removed since the question. */
  #isOn(key: string): boolean {
    return this.#deps.tools.list().some((tool) => toolKey(tool) === key);
  }

  #closeGone(call: ToolCall, { name, server }: Tool): ToolCall {
    const error = appError('toolGone', { tool: name, name: server === '' ? 'Parley' : server });
    const response = this.#deps.tools.describeError(error);
    return this.#close({ ...call, state: 'failed', response, error });
  }

  async #askUser(call: ToolCall): Promise<CallDecision> {
    this.#openCall = call;
    const decided = new Promise<CallDecision>((resolve) => {
      this.#decide = resolve;
      this.#stopCall = () => resolve('deny');
    });
    this.#deps.show(call);
    const decision = await decided;
    this.#decide = undefined;
    this.#stopCall = undefined;
    return decision;
  }

  #close(call: ToolCall): ToolCall {
    this.#openCall = undefined;
    this.#deps.show(call);
    return call;
  }

  #newCall(
    callName: string,
    { name, server, isRisky }: Pick<Tool, 'name' | 'server' | 'isRisky'>,
    args: string,
  ): ToolCall {
    const at = this.#shown.length;
    const id = this.#deps.newId();
    return { id, at, callName, tool: name, server, args, state: 'asking', isRisky, response: '' };
  }
}

const refusals = {
  broken: 'The call is not valid JSON with "name" and "arguments".',
  unfinished: 'The call has no end.',
  long: 'The call is too long.',
} as const;

function withoutToolList(
  messages: readonly ChatMessage[],
  toolText: string,
): readonly ChatMessage[] {
  return messages.flatMap((message) => {
    const { role, content } = message;
    if (role !== 'system' || typeof content !== 'string') return message;
    const rest = content.replace(toolText, '').trim();
    return rest === '' ? [] : { role, content: rest };
  });
}

/** The model's text, calls and responses of each round. If all responses do not fit, older ones are shortened. */
function roundMessages(rounds: readonly Round[], callTokens: number): readonly ChatMessage[] {
  const limits = responseLimits(
    rounds.flatMap(({ calls }) => calls),
    callTokens,
  );
  const messages: ChatMessage[] = [];
  const add = (role: 'assistant' | 'user', text: string): void => {
    if (text.trim() !== '') appendMessage(messages, role, [{ type: 'text', text }]);
  };
  for (const { text, calls } of rounds) {
    add('assistant', text.trim());
    for (const { callName, args } of calls) add('assistant', wrapCall(callName, args));
    for (const call of calls)
      add('user', wrapResponse(call.callName, call.response, limits.get(call)));
  }
  return messages;
}

function responseLimits(
  calls: readonly ToolCall[],
  callTokens: number,
): ReadonlyMap<ToolCall, number> {
  const limits = new Map<ToolCall, number>();
  let remainingTokens = callTokens;
  for (const call of calls.toReversed()) {
    const tokens = Math.min(responseTokens, estimateTokens(call.response));
    const limit = remainingTokens >= tokens ? responseTokens : oldResponseTokens;
    remainingTokens -= Math.min(tokens, limit);
    limits.set(call, limit);
  }
  return limits;
}

interface ModelCallDeps {
  readonly tools: ChatTools;
  readonly named: readonly NamedTool[];
  readonly allowed: Set<string>;
  readonly newId: () => string;
  readonly show: (call: ToolCall) => void;
  /** Called once the call has a response, also after a refusal. */
  readonly onDone: (call: ToolCall) => void;
}

/** A call that a talk's model made in a protocol event. It passes the same checks and questions as a call in a chat. */
export class ModelCall {
  readonly #rounds: CallRounds;
  #last: ToolCall | undefined;

  constructor(deps: ModelCallDeps) {
    this.#rounds = new CallRounds({
      ...deps,
      toolText: '',
      callTokens: toolRoom().calls,
      question: { messages: [] },
      receive: () => undefined,
      show: (call) => {
        this.#last = call;
        deps.show(call);
      },
      // A chat's model would be asked again here. The talk's model gets the response instead.
      ask: () => {
        if (this.#last !== undefined) deps.onDone(this.#last);
      },
    });
  }

  begin({ name, args }: { readonly name: string; readonly args: JsonObject }): void {
    const text = wrapCall(name, JSON.stringify(args));
    this.#rounds.receive({ kind: 'text', text });
    this.#rounds.receive({ kind: 'done', text, reason: 'turn_end' });
  }

  decide(id: string, decision: CallDecision): boolean {
    return this.#rounds.decide(id, decision);
  }

  stop(): void {
    this.#rounds.stop();
  }
}
