import type {
  AssistantTurn,
  CallDecision,
  ToolCall,
  ChatPatch,
} from '../../shared/chat/chat-thread.ts';
import {
  type AppError,
  appError,
  done,
  failure,
  type Outcome,
} from '../../shared/errors/app-error.ts';
import type { CoreMessages } from '../../shared/i18n/messages.ts';
import type { ToolTaskHandlers } from '../../shared/ipc/talk-ipc.ts';
import {
  Timer,
  makeRandomId,
  type Clock,
  type Random,
  type WallClock,
} from '../../shared/ports/clock.ts';
import type { JsonObject } from '../../shared/protocol/json.ts';
import type { Settings } from '../../shared/settings/settings.ts';
import {
  type TalkState,
  withTask,
  type TalkView,
  type ToolTask,
  type ToolResult,
  type UserPhrase,
} from '../../shared/talk/talk-view.ts';
import type { SessionEvent } from '../talk/session/session-event.ts';
import type { WrittenSession } from '../talk/session/session.ts';
import { type NamedTool, nameTools } from '../tools/tool.ts';
import { toolDefinitions, labelResponse } from '../tools/tool-prompt.ts';
import { type ChatTools, ModelCall } from './call-rounds.ts';
import { OpenThread } from './open-thread.ts';
import { MediaCache } from './attachments.ts';
import { SpokenTasks } from './spoken-tasks.ts';
import { taskThread, taskOptions, toToolResult } from './task-chat.ts';
import { NewChatTurns } from './thread-edits.ts';

interface Deps {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly random: Random;
  readonly tools: () => ChatTools;
  readonly settings: () => Settings;
  readonly view: () => TalkView;
  readonly prompts: () => Promise<CoreMessages['talkTools']>;
  /** Returns the user's newest words; transcribes them if that was not done yet. */
  readonly lastWords: () => Promise<Outcome<string>>;
  /** Opens a chat session with the server of this id. */
  readonly openSession: (server: string, emit: (event: SessionEvent) => void) => WrittenSession;
  /** The context of this server's sessions, if it is known. */
  readonly contextTokens: (server: string) => number | undefined;
  /** Whether the server cannot run a chat beside the talk. Most local models cannot. */
  readonly lacksChat: (server: string) => boolean;
  /** Whether the chat's session takes as long to begin as the talk's next one. */
  readonly chatStartsAsFastAsTalk: (server: string) => boolean;
  /** Answers a call that the talk's model made. */
  readonly answerCall: (call: string, text: string) => void;
  /** Gives the result to the talk's next session. `sessionStartMs` is how long a session of this server takes to begin. */
  readonly tell: (result: ToolResult, sessionStartMs: number | undefined) => void;
}

interface CurrentTalk {
  readonly server: string;
  readonly incognito: boolean;
  isLive: boolean;
}

interface Running {
  task: ToolTask;
  chat: OpenThread | undefined;
  /** Set if the talk's model made the call itself. */
  readonly modelCall?: { readonly call: string; readonly handler: ModelCall } | undefined;
  connectingAt: number | undefined;
  startMs: number | undefined;
}

/** A task fails after this long without progress, unless it waits for the user. A tool's call has a shorter time limit. */
const slowMs = 90_000;
const maxWords = 2000;

/**
 * Does the tasks of a talk with tools, in a chat with the talk's server. The talk goes on meanwhile. The result
 * is shown at once, and the talk's next session knows it.
 */
export class ToolTasks {
  readonly #deps: Deps;
  readonly #spoken: SpokenTasks;
  readonly #slow: Timer;
  /** Keys of tools that the user allowed in this talk. */
  #allowed = new Set<string>();
  #named: readonly NamedTool[] = [];
  /** Whether the talk's model calls tools itself. */
  #doesModelCallTools = false;
  #talk: CurrentTalk | undefined;
  #tasks: readonly ToolTask[] = [];
  #running: Running | undefined;
  #listener: (task: ToolTask) => void = () => undefined;

  readonly handlers: ToolTaskHandlers = {
    askInTalk: ({ text }) => this.#askByHand(text),
    decideTalkCall: ({ call, decision }) => this.#decide(call, decision),
    stopTask: () => this.#stop(),
  };

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#slow = new Timer(deps.clock);
    this.#spoken = new SpokenTasks({
      clock: deps.clock,
      tools: () => deps.tools().list(),
      phrases: () => deps.view().userTranscript.phrases,
      ask: (words) => void this.#ask(words),
    });
  }

  listen(listener: (task: ToolTask) => void): void {
    this.#listener = listener;
  }

  /** Call this when a talk with the server of this id begins. */
  begin({ id, incognito }: Readonly<{ id: string; incognito: boolean }>): void {
    this.#stop();
    this.#spoken.clear();
    this.#allowed = new Set();
    this.#tasks = [];
    this.#talk = { server: id, incognito, isLive: false };
    this.#doesModelCallTools = false;
  }

  /** Definitions of the tools for a server whose model calls them itself; undefined if talks use no tools. */
  readonly definitions = (): readonly JsonObject[] | undefined => {
    if (!this.#deps.settings().tools.talks) return undefined;
    this.#named = nameTools(this.#deps.tools().list());
    return toolDefinitions(this.#named);
  };

  /** A session of the talk began. Calls of an earlier session are stopped, because their answers go nowhere. */
  onSession(callsTools: boolean): void {
    this.#doesModelCallTools = callsTools;
    if (this.#running?.modelCall !== undefined) this.#stop();
  }

  /** The talk's model calls a tool, or cancels a call if `ask` is undefined. */
  onToolCall(
    call: string,
    ask: { readonly name: string; readonly args: JsonObject } | undefined,
  ): void {
    if (ask === undefined) {
      if (this.#running?.modelCall?.call === call) this.#stop();
      return;
    }
    const refusal = this.#refusal();
    if (refusal !== undefined)
      return this.#deps.answerCall(call, this.#deps.tools().describeError(refusal));
    const { random, wallClock, tools } = this.#deps;
    const newId = (): string => makeRandomId(random);
    const show = (running: Running, shown: ToolCall): void => {
      const turn = newestAnswer(running) ?? new NewChatTurns(random, wallClock).answer();
      running.task = { ...running.task, answer: { ...turn, calls: [shown] } };
      if (shown.state === 'asking') this.#slow.stop();
      else this.#startTimeout();
      if (this.#running === running) this.#publish(running.task);
    };
    const made: ModelCall = new ModelCall({
      tools: tools(),
      named: this.#named,
      allowed: this.#allowed,
      newId,
      show: (shown) => show(running, shown),
      onDone: ({ callName, response }) => {
        if (this.#running !== running) return;
        this.#deps.answerCall(call, labelResponse(callName, response));
        this.#finish(running, 'done');
      },
    });
    const running = this.#begin('', 'answering', { call, handler: made });
    made.begin(ask);
  }

  onTalkState({ phase }: Pick<TalkState, 'phase'>): void {
    if (this.#talk === undefined) return;
    this.#talk.isLive = phase === 'live';
    if (phase !== 'ended' && phase !== 'ending') return;
    this.#spoken.clear();
    this.#stop();
  }

  /** A phrase of the user was written down, or is going to be. */
  onPhrase(phrase: UserPhrase): void {
    const { tools, assistant } = this.#deps.settings();
    // An interpreter is given sentences to translate, not tasks to do.
    if (!tools.talks || assistant.preset === 'interpreter' || this.#talk?.isLive !== true) return;
    // A model that calls tools hears the task itself.
    if (this.#doesModelCallTools) return;
    this.#spoken.onPhrase(phrase);
  }

  /** A session of the talk began with these results. */
  onResultsGiven(ids: readonly string[]): void {
    for (const task of this.#tasks)
      if (ids.includes(task.id) && task.voice === 'later')
        this.#publish({ ...task, voice: 'knows' });
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
    this.#publish({ ...running.task, state: 'withdrawn' });
    return words;
  }

  async #ask(words: string): Promise<Outcome<undefined>> {
    const error = this.#refusal();
    if (error === undefined) return this.#answer(this.#begin(words, 'answering'), words);
    // The user spoke and may not look at the window now, so the list of tasks keeps the reason.
    if (this.#talk?.isLive === true) this.#publish({ ...this.#newTask(words, 'failed'), error });
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

  #newTask(words: string, state: ToolTask['state']): ToolTask {
    const id = makeRandomId(this.#deps.random);
    const after = this.#deps.view().captions.at(-1)?.turn;
    return { id, after, words: words.slice(0, maxWords), state, voice: 'no' };
  }

  #begin(words: string, state: ToolTask['state'], modelCall?: Running['modelCall']): Running {
    const task = this.#newTask(words, state);
    const running: Running = {
      task,
      chat: undefined,
      modelCall,
      connectingAt: undefined,
      startMs: undefined,
    };
    this.#running = running;
    this.#publish(task);
    return running;
  }

  async #answer(running: Running, words: string): Promise<Outcome<undefined>> {
    const { clock, wallClock, random, tools, view, prompts, settings } = this.#deps;
    const asked = words.trim().slice(0, maxWords);
    running.task = { ...running.task, words: asked, state: 'answering' };
    this.#publish(running.task);
    this.#startTimeout();
    const { system } = await prompts();
    const talk = this.#talk;
    if (this.#running !== running || talk === undefined) return done;
    const conversation = taskThread(running.task.id, view(), this.#tasks, asked);
    const chat = new OpenThread(
      { conversation, options: taskOptions(settings().chat) },
      {
        clock,
        wallClock,
        random,
        media: new MediaCache(),
        tools: tools(),
        allowedTools: this.#allowed,
        defaultSystemPrompt: () => system,
        contextTokens: () => this.#deps.contextTokens(talk.server),
        openSession: (emit) => this.#deps.openSession(talk.server, emit),
        emit: (patch) => {
          if (this.#running === running) this.#onPatch(running, patch);
        },
        onChanged: () => undefined,
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
      // The task must not take a place in the queue before the talk's next session.
      if (phase === 'queued') this.#finish(running, 'failed', appError('requestNoPlace'));
      return;
    }
    const answer = newestAnswer(running);
    if (answer === undefined) return;
    running.task = { ...running.task, answer };
    if (patch.kind === 'answer' && patch.state.kind !== 'streaming') {
      const { state } = patch;
      if (state.kind === 'failed') this.#finish(running, 'failed', state.error);
      else this.#finish(running, state.kind);
      return;
    }
    const isAsking = answer.calls?.some((call) => call.state === 'asking') === true;
    if (isAsking) this.#slow.stop();
    else this.#startTimeout();
    this.#publish(running.task);
  }

  #startTimeout(): void {
    this.#slow.set(slowMs, () => {
      const running = this.#running;
      if (running === undefined) return;
      this.#finish(running, 'failed', appError('requestSlow', { seconds: slowMs / 1000 }));
    });
  }

  #decide(call: string, decision: CallDecision): Outcome<undefined> {
    const { modelCall, chat } = this.#running ?? {};
    if (modelCall !== undefined)
      return modelCall.handler.decide(call, decision) ? done : failure('toolCallGone');
    return chat?.decideCall(call, decision) ?? failure('toolCallGone');
  }

  #stop(): void {
    if (this.#running !== undefined) this.#finish(this.#running, 'stopped');
  }

  /** Ends the task. A call that waits or runs is stopped. */
  #finish(running: Running, state: 'done' | 'stopped' | 'failed', error?: AppError): void {
    const { modelCall } = running;
    if (modelCall !== undefined && state !== 'done') {
      modelCall.handler.stop();
      // The model must not wait for ever.
      this.#deps.answerCall(modelCall.call, 'The call was stopped.');
    }
    this.#running = undefined;
    // Stopped only here, because stopping the call counts as progress and sets this timer.
    this.#slow.stop();
    void running.chat?.close();
    const answer = newestAnswer(running);
    const made = (answer?.calls ?? []).filter(({ state: each }) => hasRun(each));
    const usedTools = state === 'done' && answer !== undefined && made.length > 0;
    const mustTell = usedTools && running.modelCall === undefined;
    const task: ToolTask = {
      ...running.task,
      state,
      answer,
      voice: mustTell ? 'later' : usedTools ? 'knows' : 'no',
      ...(error !== undefined && { error }),
    };
    this.#publish(task);
    if (!mustTell || this.#talk === undefined) return;
    const startMs = this.#deps.chatStartsAsFastAsTalk(this.#talk.server)
      ? running.startMs
      : undefined;
    this.#deps.tell(toToolResult(task, answer.text, made), startMs);
  }

  #publish(task: ToolTask): void {
    this.#tasks = withTask(this.#tasks, task);
    this.#listener(task);
  }
}

const hasRun = (state: ToolCall['state']): boolean => state === 'done' || state === 'failed';

function newestAnswer({ chat, task }: Running): AssistantTurn | undefined {
  if (chat === undefined) return task.answer;
  const turn = chat.conversation.turns.at(-1);
  return turn?.role === 'assistant' ? turn : undefined;
}
