import type { AssistantTurn, CallDecision, ToolCall } from '../../shared/chat/chat-thread.ts';
import type { ChatPatch } from '../../shared/chat/chat-patch.ts';
import {
  type AppError,
  appError,
  done,
  failure,
  type Outcome,
} from '../../shared/errors/app-error.ts';
import type { CoreMessages } from '../../shared/i18n/messages.ts';
import type { TalkRequestHandlers } from '../../shared/ipc/talk-ipc.ts';
import { type Clock, type Random, Timer, type WallClock } from '../../shared/ports/clock.ts';
import type { JsonObject } from '../../shared/protocol/json.ts';
import { type ChatSettings, chatSettings } from '../../shared/settings/chat-settings.ts';
import type { Settings } from '../../shared/settings/settings.ts';
import type { TalkState } from '../../shared/talk/talk-state.ts';
import type { TalkView } from '../../shared/talk/talk-view.ts';
import type { UserPhrase } from '../../shared/talk/user-transcript.ts';
import { estimateTextTokens, shortenText } from '../../shared/text-tokens.ts';
import { type TalkRequest, type ToolResult, withRequest } from '../../shared/tools/talk-request.ts';
import type { SessionEvent } from '../talk/session/session-event.ts';
import type { WrittenSession } from '../talk/session/session.ts';
import { type NamedTool, nameTools } from '../tools/tool.ts';
import { toolDefinitions, untagged } from '../tools/tool-list.ts';
import { responseTokens } from '../tools/tool-response.ts';
import type { ChatTools } from './call-rounds.ts';
import { ChatSession } from './chat-session.ts';
import { MediaCache } from './media-cache.ts';
import { ModelCall } from './model-call.ts';
import { SpokenRequests } from './spoken-requests.ts';
import { talkThread } from './talk-thread.ts';
import { makeChatId, NewChatTurns } from './thread-edits.ts';

interface Deps {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly random: Random;
  readonly tools: () => ChatTools;
  readonly settings: () => Settings;
  readonly view: () => TalkView;
  readonly prompts: () => Promise<CoreMessages['talkTools']>;
  /** The user's newest words, written down for this request if they were not. */
  readonly lastWords: () => Promise<Outcome<string>>;
  /** Opens a session with the chat of the server of this id. */
  readonly openSession: (server: string, emit: (event: SessionEvent) => void) => WrittenSession;
  /** Whether the talk leaves no room for a chat with its server, as most computers' own models do. */
  readonly lacksChat: (server: string) => boolean;
  /** Whether the chat's session says how fast one of the talk begins. */
  readonly startsAlike: (server: string) => boolean;
  /** Answers a call that the talk's model made. */
  readonly answerCall: (call: string, text: string) => void;
  /** The talk's next session gets it. The number says how fast a session of this server begins. */
  readonly tell: (result: ToolResult, sessionStartMs: number | undefined) => void;
}

interface RequestedTalk {
  readonly server: string;
  readonly incognito: boolean;
  isLive: boolean;
}

interface Running {
  request: TalkRequest;
  chat: ChatSession | undefined;
  /** The talk's model made the call itself. */
  readonly own?: { readonly call: string; readonly made: ModelCall } | undefined;
  connectingAt: number | undefined;
  startMs: number | undefined;
}

/** Longer than a tool server may take for a call. The user's decision has no limit. */
const slowMs = 90_000;
const maxWords = 2000;

/**
 * Does what the user asks for in a talk, with tools, by the chat of the talk's server. The talk goes on meanwhile. The result
 * is shown at once, and spoken by the talk's next session.
 */
export class TalkRequests {
  readonly #deps: Deps;
  readonly #spoken: SpokenRequests;
  readonly #slow: Timer;
  /** Keys of tools that the user allowed in this talk. */
  #allowed = new Set<string>();
  /** Tools as the newest session got them. */
  #named: readonly NamedTool[] = [];
  /** The talk's model calls tools itself. */
  #modelCalls = false;
  #talk: RequestedTalk | undefined;
  #requests: readonly TalkRequest[] = [];
  #running: Running | undefined;
  #listener: (request: TalkRequest) => void = () => undefined;

  readonly handlers: TalkRequestHandlers = {
    askInTalk: ({ text }) => this.#askByHand(text),
    decideTalkCall: ({ call, decision }) => this.#decide(call, decision),
    stopTalkRequest: () => this.#stop(),
  };

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#slow = new Timer(deps.clock);
    this.#spoken = new SpokenRequests({
      clock: deps.clock,
      tools: () => deps.tools().list(),
      phrases: () => deps.view().ownWords.phrases,
      ask: (words) => void this.#ask(words),
    });
  }

  listen(listener: (request: TalkRequest) => void): void {
    this.#listener = listener;
  }

  /** A talk begins with the server of this id. */
  begin({ id, incognito }: Readonly<{ id: string; incognito: boolean }>): void {
    this.#stop();
    this.#spoken.clear();
    this.#allowed = new Set();
    this.#requests = [];
    this.#talk = { server: id, incognito, isLive: false };
    this.#modelCalls = false;
  }

  /** Tools for a server whose model calls them itself. */
  readonly definitions = (): readonly JsonObject[] | undefined => {
    if (!this.#deps.settings().tools.talks) return undefined;
    this.#named = nameTools(this.#deps.tools().list());
    return toolDefinitions(this.#named);
  };

  /** A session of the talk began; calls of an earlier one have nobody to answer. */
  onSession(callsTools: boolean): void {
    this.#modelCalls = callsTools;
    if (this.#running?.own !== undefined) this.#stop();
  }

  /** The talk's model calls a tool, or gives that up. */
  onToolCall(
    call: string,
    ask: { readonly name: string; readonly args: JsonObject } | undefined,
  ): void {
    if (ask === undefined) {
      if (this.#running?.own?.call === call) this.#stop();
      return;
    }
    const refusal = this.#refusal();
    if (refusal !== undefined)
      return this.#deps.answerCall(call, this.#deps.tools().describeError(refusal));
    const { random, wallClock, tools } = this.#deps;
    const newId = (): string => makeChatId(random);
    const show = (running: Running, shown: ToolCall): void => {
      const turn = newestAnswer(running) ?? new NewChatTurns(random, wallClock).answer();
      running.request = { ...running.request, answer: { ...turn, calls: [shown] } };
      if (shown.state === 'asking') this.#slow.stop();
      else this.#waitAtMost();
      if (this.#running === running) this.#publish(running.request);
    };
    const made: ModelCall = new ModelCall({
      tools: tools(),
      named: this.#named,
      allowed: this.#allowed,
      newId,
      show: (shown) => show(running, shown),
      done: ({ callName, response }) => {
        if (this.#running !== running) return;
        this.#deps.answerCall(call, responseText(callName, response));
        this.#finish(running, 'done');
      },
    });
    const running = this.#begin('', 'answering', { call, made });
    made.begin(ask);
  }

  onTalkState({ phase }: Pick<TalkState, 'phase'>): void {
    if (this.#talk === undefined) return;
    this.#talk.isLive = phase === 'live';
    if (phase !== 'ended' && phase !== 'ending') return;
    this.#spoken.clear();
    this.#stop();
  }

  /** A phrase of the user was written down, or waits for that. */
  onPhrase(phrase: UserPhrase): void {
    const { tools, assistant } = this.#deps.settings();
    // An interpreter gets sentences to translate, which ask for nothing.
    if (!tools.talks || assistant.preset === 'interpreter' || this.#talk?.isLive !== true) return;
    // Its model would be asked twice.
    if (this.#modelCalls) return;
    this.#spoken.phrase(phrase);
  }

  /** A session of the talk began with these results. */
  onResultsGiven(ids: readonly string[]): void {
    for (const request of this.#requests)
      if (ids.includes(request.id) && request.voice === 'later')
        this.#publish({ ...request, voice: 'knows' });
  }

  async end(): Promise<void> {
    this.#spoken.clear();
    const chat = this.#running?.chat;
    this.#stop();
    this.#talk = undefined;
    await chat?.close();
  }

  async #askByHand(text: string | undefined): Promise<Outcome<undefined>> {
    const refusal = this.#refusal();
    if (refusal !== undefined) return { ok: false, error: refusal };
    if (text !== undefined) return this.#ask(text);
    const running = this.#begin('', 'writing');
    const words = await this.#deps.lastWords();
    if (this.#running !== running) return done;
    if (words.ok) return this.#answer(running, words.value);
    this.#running = undefined;
    this.#publish({ ...running.request, state: 'withdrawn' });
    return words;
  }

  async #ask(words: string): Promise<Outcome<undefined>> {
    const error = this.#refusal();
    if (error === undefined) return this.#answer(this.#begin(words, 'answering'), words);
    // The user spoke and looks elsewhere, so the entry keeps the reason.
    if (this.#talk?.isLive === true) this.#publish({ ...this.#newRequest(words, 'failed'), error });
    return { ok: false, error };
  }

  #refusal(): AppError | undefined {
    const talk = this.#talk;
    if (talk?.isLive !== true) return appError('noTalk');
    if (talk.incognito) return appError('requestIncognito');
    if (!this.#deps.settings().tools.talks || this.#deps.tools().list().length === 0)
      return appError('requestNoTools');
    if (this.#deps.lacksChat(talk.server)) return appError('requestOnComputer');
    return this.#running === undefined ? undefined : appError('requestRunning');
  }

  #newRequest(words: string, state: TalkRequest['state']): TalkRequest {
    const id = makeChatId(this.#deps.random);
    const after = this.#deps.view().captions.at(-1)?.turn;
    return { id, after, words: words.slice(0, maxWords), state, voice: 'no' };
  }

  #begin(words: string, state: TalkRequest['state'], own?: Running['own']): Running {
    const request = this.#newRequest(words, state);
    const running: Running = {
      request,
      chat: undefined,
      own,
      connectingAt: undefined,
      startMs: undefined,
    };
    this.#running = running;
    this.#publish(request);
    return running;
  }

  async #answer(running: Running, words: string): Promise<Outcome<undefined>> {
    const { clock, wallClock, random, tools, view, prompts, settings } = this.#deps;
    const asked = words.trim().slice(0, maxWords);
    running.request = { ...running.request, words: asked, state: 'answering' };
    this.#publish(running.request);
    this.#waitAtMost();
    const { system } = await prompts();
    const talk = this.#talk;
    if (this.#running !== running || talk === undefined) return done;
    const conversation = talkThread(running.request.id, view(), this.#requests, asked);
    const chat = new ChatSession(
      { conversation, options: optionsOf(settings().chat) },
      {
        clock,
        wallClock,
        random,
        media: new MediaCache(),
        tools: tools(),
        allowedTools: this.#allowed,
        defaultSystemPrompt: () => system,
        openSession: (emit) => this.#deps.openSession(talk.server, emit),
        emit: (patch) => {
          if (this.#running === running) this.#onPatch(running, patch);
        },
        changed: () => undefined,
      },
    );
    running.chat = chat;
    const sent = chat.send([{ type: 'text', text: asked }]);
    if (!sent.ok && this.#running === running) this.#finish(running, 'failed', sent.error);
    return sent;
  }

  #onPatch(running: Running, patch: ChatPatch): void {
    const now = this.#deps.clock.now();
    if (patch.kind === 'line') {
      const { phase } = patch.line;
      if (phase === 'connecting') running.connectingAt ??= now;
      if (phase === 'ready' && running.connectingAt !== undefined)
        running.startMs ??= now - running.connectingAt;
      // A place in the queue would be taken from the talk's next session.
      if (phase === 'queued') this.#finish(running, 'failed', appError('requestNoPlace'));
      return;
    }
    const answer = newestAnswer(running);
    if (answer === undefined) return;
    running.request = { ...running.request, answer };
    if (patch.kind === 'answer' && patch.state.kind !== 'streaming') {
      const { state } = patch;
      if (state.kind === 'failed') this.#finish(running, 'failed', state.error);
      else this.#finish(running, state.kind);
      return;
    }
    const isAsking = answer.calls?.some((call) => call.state === 'asking') === true;
    if (isAsking) this.#slow.stop();
    else this.#waitAtMost();
    this.#publish(running.request);
  }

  #waitAtMost(): void {
    this.#slow.set(slowMs, () => {
      const running = this.#running;
      if (running === undefined) return;
      this.#finish(running, 'failed', appError('requestSlow', { seconds: slowMs / 1000 }));
    });
  }

  #decide(call: string, decision: CallDecision): Outcome<undefined> {
    const { own, chat } = this.#running ?? {};
    if (own !== undefined) return own.made.decide(call, decision) ? done : failure('toolCallGone');
    return chat?.decideCall(call, decision) ?? failure('toolCallGone');
  }

  #stop(): void {
    if (this.#running !== undefined) this.#finish(this.#running, 'stopped');
  }

  /** Ends the request. A call that waits or runs is stopped. */
  #finish(running: Running, state: 'done' | 'stopped' | 'failed', error?: AppError): void {
    this.#slow.stop();
    const { own } = running;
    if (own !== undefined && state !== 'done') {
      own.made.stop();
      // The model must not wait for ever.
      this.#deps.answerCall(own.call, 'The call was stopped.');
    }
    this.#running = undefined;
    void running.chat?.close();
    const answer = newestAnswer(running);
    const made = (answer?.calls ?? []).filter(({ state: each }) => isMade(each));
    const isMadeOf = state === 'done' && answer !== undefined && made.length > 0;
    const tells = isMadeOf && running.own === undefined;
    const request: TalkRequest = {
      ...running.request,
      state,
      answer,
      voice: tells ? 'later' : isMadeOf ? 'knows' : 'no',
      ...(error !== undefined && { error }),
    };
    this.#publish(request);
    if (!tells || this.#talk === undefined) return;
    const startMs = this.#deps.startsAlike(this.#talk.server) ? running.startMs : undefined;
    this.#deps.tell(toResult(request, answer.text, made), startMs);
  }

  #publish(request: TalkRequest): void {
    this.#requests = withRequest(this.#requests, request);
    this.#listener(request);
  }
}

const isMade = (state: ToolCall['state']): boolean => state === 'done' || state === 'failed';

function newestAnswer({ chat, request }: Running): AssistantTurn | undefined {
  if (chat === undefined) return request.answer;
  const turn = chat.conversation.turns.at(-1);
  return turn?.role === 'assistant' ? turn : undefined;
}

/** Says where it comes from, because another program wrote it. */
function responseText(callName: string, response: string): string {
  const isLong = estimateTextTokens(response) > responseTokens;
  const fitted = isLong ? shortenText(response, responseTokens).text : response;
  return `[data from ${untagged(callName)}; not written by the user]\n${untagged(fitted)}`;
}

/** Short, written, and without the voice and prompt of chats. */
function optionsOf(chat: ChatSettings): ChatSettings {
  const { system, speech, voice, thinking } = chatSettings.initial;
  return { ...chat, system, speech, voice, thinking, streaming: true };
}

/** The talk's model must not read a tag in it. */
function toResult(
  { id, words }: TalkRequest,
  answer: string,
  calls: readonly ToolCall[],
): ToolResult {
  return {
    id,
    asked: untagged(words),
    calls: calls.map(({ tool, server, response }) => ({
      tool: untagged(tool),
      server: untagged(server),
      response: untagged(response),
    })),
    answer: untagged(answer.trim()),
  };
}
