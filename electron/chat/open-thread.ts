import type {
  ChatPatch,
  AssistantTurn,
  CallDecision,
  ChatThread,
  Part,
  ToolCall,
  Turn,
  UserTurn,
} from '../../shared/chat/chat-thread.ts';
import { done, failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { FoundPassage } from '../../shared/memory/memory-view.ts';
import type { Clock, Random, WallClock } from '../../shared/ports/clock.ts';
import { outputRate } from '../../shared/protocol/realtime-api.ts';
import type { HistoryKind, HistoryRef } from '../../shared/recordings/history-item.ts';
import { type ChatSettings, explicitNumber } from '../../shared/settings/assistant-settings.ts';
import { ChatConnection } from '../talk/session/chat-connection.ts';
import type { SessionEvent } from '../talk/session/session-event.ts';
import type { WrittenSession } from '../talk/session/session.ts';
import { type NamedTool, nameTools } from '../tools/tool.ts';
import { listTools } from '../tools/tool-prompt.ts';
import { type AnswerPlayer, SpeechCache } from './answer-player.ts';
import { continuationBase, AnswerStream } from './answer-stream.ts';
import { CallRounds, type ChatTools } from './call-rounds.ts';
import {
  type PreparedQuestion,
  prepareQuestion,
  type QuestionDeps,
  toolRoom,
} from './chat-context.ts';
import {
  branchOff,
  makeChatTitle,
  NewChatTurns,
  removeTurn,
  switchBranch,
  switchToTurn,
} from './thread-edits.ts';

export interface OpenThreadOptions {
  /** The conversation to continue; a new one by default. */
  readonly conversation?: ChatThread | undefined;
  /** The passages of that conversation by the id of their question, if it was open elsewhere. */
  readonly past?: OpenThread['past'] | undefined;
  /** Shows the version that has this turn. */
  readonly turn?: string | undefined;
  readonly options: ChatSettings;
}

export interface OpenThreadDeps extends QuestionDeps {
  /** Opens a session in chat mode, which connects at once. */
  readonly openSession: (emit: (event: SessionEvent) => void) => WrittenSession;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly random: Random;
  readonly emit: (patch: ChatPatch) => void;
  /** Called with the conversation after a question, now and then during an answer, after its end, and after every edit. */
  readonly onChanged: (conversation: ChatThread) => void;
  /** The prompt that asks the model to continue a stopped answer. */
  readonly continuePrompt?: (() => string) | undefined;
  /** Without a player, answers are not spoken, but their speech is kept. */
  readonly player?: AnswerPlayer | undefined;
  /** If omitted, the model is offered no tools. */
  readonly tools?: ChatTools | undefined;
  /** Keys of tools that the user allowed, if conversations share them. */
  readonly allowedTools?: Set<string> | undefined;
}

interface OfferedTools {
  readonly named: readonly NamedTool[];
  readonly toolText: string;
  readonly callTokens: number;
}

/** Almost twelve minutes of speech: 64 MiB. */
const maxSpeechSamples = 16 * 1024 * 1024;

/**
 * A thread that is open: it sends questions, receives answers and edits turns. It connects on the first question. An action
 * that is not possible returns an error and changes nothing; a later failure of an answer is stored in its turn.
 */
export class OpenThread {
  readonly #deps: OpenThreadDeps;
  readonly #newTurns: NewChatTurns;
  readonly #connection: ChatConnection;
  readonly #player: AnswerPlayer | undefined;
  readonly #speech: SpeechCache;
  #conversation: ChatThread;
  #options: ChatSettings;
  #answering: AnswerStream | undefined;
  #rounds: CallRounds | undefined;
  /** Passages by the id of their question. The stored conversation has only references to them. */
  readonly #past: Map<string, readonly FoundPassage[]>;
  /** Keys of the tools that the user allowed: until this conversation is closed, unless conversations share the set. */
  readonly #allowedTools: Set<string>;

  constructor({ conversation, past, turn, options }: OpenThreadOptions, deps: OpenThreadDeps) {
    this.#deps = deps;
    this.#newTurns = new NewChatTurns(deps.random, deps.wallClock);
    this.#options = options;
    this.#conversation = this.#versionWith(turn, conversation ?? this.#newTurns.thread());
    this.#past = new Map(past);
    this.#connection = new ChatConnection({
      ...deps,
      emit: (line) => deps.emit({ kind: 'line', line }),
    });
    this.#speech = new SpeechCache(maxSpeechSamples, (turn) => this.#setSpeech(turn, 0));
    this.#player = deps.player;
    this.#allowedTools = deps.allowedTools ?? new Set();
  }

  get conversation(): ChatThread {
    return this.#conversation;
  }

  get past(): ReadonlyMap<string, readonly FoundPassage[]> {
    return this.#past;
  }

  get options(): ChatSettings {
    return this.#options;
  }

  /** Whether an answer is coming. Until it ends or is stopped, nothing can be asked or edited. */
  get isBusy(): boolean {
    return this.#answering !== undefined;
  }

  /** Sends `past` with the question, and again when it is repeated while this conversation is open. */
  readonly send = (
    parts: readonly Part[],
    past: readonly FoundPassage[] = [],
    leftOut: readonly HistoryRef[] = [],
  ): Outcome<undefined> =>
    this.#ask(this.#conversation, this.#question(parts, past, leftOut), true);

  /** The conversations whose passages the user left out of a question, or removed from it later. */
  readonly leftOutOf = (turn: string): readonly HistoryRef[] => {
    const question = this.#conversation.turns.find(({ id }) => id === turn);
    return (question?.role === 'user' ? question.leftOut : undefined) ?? [];
  };

  /** Removes a passage from a question, so that it is neither shown nor sent again. */
  readonly forgetPassage = (turn: string, ref: HistoryRef): Outcome<undefined> => {
    const isOther = ({ kind, id }: HistoryRef): boolean => kind !== ref.kind || id !== ref.id;
    const found = this.#past.get(turn) ?? [];
    this.#past.set(
      turn,
      found.filter(({ passage }) => isOther(passage)),
    );
    const leftOut = [...this.leftOutOf(turn), ref];
    const turns = this.#conversation.turns.map((each) =>
      each.id === turn && each.role === 'user'
        ? { ...each, past: each.past?.filter(isOther), leftOut }
        : each,
    );
    return this.#replace({ ...this.#conversation, turns });
  };

  /** The user deleted a talk or chat, or all of a kind: their passages are not sent again. The questions still name them. */
  forgetDeleted({
    kind,
    id,
  }: {
    readonly kind: HistoryKind;
    readonly id?: string | undefined;
  }): void {
    for (const [turn, found] of this.#past)
      this.#past.set(
        turn,
        found.filter(
          ({ passage }) => passage.kind !== kind || (id !== undefined && passage.id !== id),
        ),
      );
  }

  /** Stops the answer and stores what has arrived. */
  readonly stop = (): void => {
    if (this.#answering === undefined) return;
    this.#rounds?.stop();
    this.#connection.stop();
    this.#player?.silence();
    this.#answering.stop();
  };

  /** Asks a question again, named by its own id or its answer's. The old answer and all later turns become a branch. */
  readonly retry = (turn: string): Outcome<undefined> => {
    const { turns } = this.#conversation;
    const namedIndex = this.#indexOf(turn);
    if (namedIndex === undefined) return failure('messageGone');
    const index = turns[namedIndex]?.role === 'user' ? namedIndex : namedIndex - 1;
    const question = turns[index];
    if (question?.role !== 'user') return failure('questionGone');
    return this.#ask(
      branchOff(this.#conversation, index + 1, this.#newTurns.id()),
      question,
      false,
    );
  };

  /** Continues the newest answer where it stopped, and appends to it. */
  readonly continueAnswer = (turn: string): Outcome<undefined> => {
    if (this.isBusy) return failure('answerComing');
    const { turns } = this.#conversation;
    const last = turns.at(-1);
    if (last?.role !== 'assistant' || last.id !== turn || last.text === '')
      return failure('messageGone');
    const prompt = this.#newTurns.question([
      { type: 'text', text: this.#deps.continuePrompt?.() ?? '…' },
    ]);
    const askedTurns: readonly Turn[] = [
      ...turns.slice(0, -1),
      { ...last, text: continuationBase(last.text, last.calls) },
    ];
    const question = prepareQuestion(askedTurns, prompt, this.#options, this.#deps);
    if (!question.ok) return question;
    const answer: AssistantTurn = { ...last, state: { kind: 'streaming' } };
    this.#changeAnswer(turn, { state: answer.state, stats: undefined });
    this.#deps.emit({ kind: 'answer', turn, state: answer.state });
    this.#streamAnswer(answer, question.value);
    return done;
  };

  /** Replaces a question. The old question and what followed become a branch. */
  readonly edit = (
    turn: string,
    parts: readonly Part[],
    past: readonly FoundPassage[] = [],
  ): Outcome<undefined> => {
    const index = this.#indexOf(turn);
    const isQuestion = index !== undefined && this.#conversation.turns[index]?.role === 'user';
    if (!isQuestion) return failure('messageGone');
    const before = branchOff(this.#conversation, index, this.#newTurns.id());
    return this.#ask(before, this.#question(parts, past, this.leftOutOf(turn)), true);
  };

  /** Removes a question with its answer, or an answer alone. */
  readonly remove = (turn: string): Outcome<undefined> => {
    const index = this.#indexOf(turn);
    if (index === undefined) return failure('messageGone');
    return this.#replace(removeTurn(this.#conversation, index));
  };

  readonly chooseBranch = (branch: string): Outcome<undefined> =>
    this.#replace(switchBranch(this.#conversation, branch, this.#newTurns.id()));

  /** Shows the version that has this turn. The choice is stored only with the next change, because the user may just be reading. */
  readonly showTurn = (turn: string): Outcome<undefined> => {
    const shown = this.#versionWith(turn, this.#conversation);
    return shown === this.#conversation ? done : this.#show(shown);
  };

  readonly decideCall = (call: string, decision: CallDecision): Outcome<undefined> =>
    this.#rounds?.decide(call, decision) === true ? done : failure('toolCallGone');

  readonly rename = (title: string): void => {
    this.#conversation = { ...this.#conversation, title: title.trim() };
    this.#deps.emit({ kind: 'titled', title: this.#conversation.title });
    this.#notifyChanged();
  };

  readonly setOptions = (options: ChatSettings): void => {
    this.#options = options;
    this.#deps.emit({ kind: 'options', options });
  };

  readonly play = (turn: string): Outcome<undefined> => {
    const answer = this.#conversation.turns.find(({ id }) => id === turn);
    if (answer?.role !== 'assistant') return failure('messageGone');
    const pieces = this.#speech.pieces(turn);
    if (pieces.length === 0) return failure('speechGone');
    if (this.#player === undefined) return failure('noPlayer');
    if (this.#answering?.id === turn) return failure('answerComing');
    this.#player.begin(turn, this.#deps.emit);
    this.#player.addText(turn, answer.text);
    for (const piece of pieces) this.#player.audio(turn, piece);
    this.#player.end(turn);
    return done;
  };

  readonly silence = (): void => this.#player?.silence();

  /** Stops the answer and its sound; resolves when the connection is closed. */
  readonly close = async (): Promise<void> => {
    this.stop();
    this.#player?.silence();
    await this.#connection.close();
  };

  #question(
    parts: readonly Part[],
    past: readonly FoundPassage[],
    leftOut: readonly HistoryRef[],
  ): UserTurn {
    const asked = this.#newTurns.question(parts);
    const question = leftOut.length === 0 ? asked : { ...asked, leftOut };
    if (past.length === 0) return question;
    this.#past.set(question.id, past);
    return { ...question, past: past.map(({ passage }) => passage) };
  }

  #ask(before: ChatThread, user: UserTurn, isNew: boolean): Outcome<undefined> {
    if (this.isBusy) return failure('answerComing');
    const earlier = isNew ? before.turns : before.turns.slice(0, -1);
    const tools = this.#offerTools([...earlier, user]);
    const extras = { toolText: tools?.toolText, past: this.#past.get(user.id) };
    const question = prepareQuestion(earlier, user, this.#options, this.#deps, extras);
    if (!question.ok) return question;
    const answer = this.#newTurns.answer();
    const isMoved = before !== this.#conversation;
    const turns: readonly Turn[] = [...earlier, user, answer];
    const title = before.title === '' ? makeChatTitle(user.parts) : before.title;
    const hasNewTitle = title !== before.title;
    this.#conversation = { ...before, turns, title, updatedAt: this.#deps.wallClock() };
    if (isMoved) this.#emitReplaced();
    else {
      this.#deps.emit({ kind: 'added', turn: user });
      this.#deps.emit({ kind: 'added', turn: answer });
      if (hasNewTitle) this.#deps.emit({ kind: 'titled', title });
    }
    this.#notifyChanged();
    this.#streamAnswer(answer, question.value, tools);
    return done;
  }

  /** The tools with the text that lists them, ranked by the user's newest two messages; undefined if no tool is on. */
  #offerTools(turns: readonly Turn[]): OfferedTools | undefined {
    const named = nameTools(this.#deps.tools?.list() ?? []);
    if (named.length === 0) return undefined;
    const userTurns = turns.filter((turn) => turn.role === 'user').slice(-2);
    const texts = userTurns.flatMap(({ parts }) =>
      parts.map((part) => (part.type === 'text' ? part.text : '')),
    );
    const { list, calls } = toolRoom(this.#deps.contextTokens?.());
    return {
      named,
      toolText: listTools(named, texts.toReversed().join('\n'), list),
      callTokens: calls,
    };
  }

  #streamAnswer(
    answer: AssistantTurn,
    { turn, sent }: PreparedQuestion,
    offered?: OfferedTools,
  ): void {
    this.#deps.emit({ kind: 'sent', sent });
    const base = continuationBase(answer.text, answer.calls);
    this.#player?.begin(answer.id, this.#deps.emit, base.length);
    const answering = new AnswerStream(answer, {
      clock: this.#deps.clock,
      player: this.#player,
      limit: explicitNumber(this.#options.maxNewTokens),
      emit: this.#deps.emit,
      speak: (audio) => this.#setSpeech(answer.id, this.#speech.add(answer.id, audio)),
      update: (change) => this.#changeAnswer(answer.id, change),
      save: () => this.#notifyChanged(),
      onEnded: () => {
        this.#answering = undefined;
        this.#rounds = undefined;
        this.#notifyChanged();
      },
    });
    this.#answering = answering;
    const { tools } = this.#deps;
    if (tools !== undefined && offered !== undefined) {
      this.#rounds = new CallRounds({
        ...offered,
        tools,
        question: turn,
        allowed: this.#allowedTools,
        newId: () => this.#newTurns.id(),
        receive: answering.receive,
        show: (call) => this.#showCall(answer.id, call),
        ask: (question, onEvent) => this.#connection.ask(question, onEvent),
      });
    }
    this.#connection.ask(turn, this.#rounds?.receive ?? answering.receive);
  }

  #replace(conversation: ChatThread | undefined): Outcome<undefined> {
    if (conversation === undefined)
      return this.isBusy ? failure('answerComing') : failure('branchGone');
    const shown = this.#show({ ...conversation, updatedAt: this.#deps.wallClock() });
    if (shown.ok) this.#notifyChanged();
    return shown;
  }

  #show(conversation: ChatThread): Outcome<undefined> {
    if (this.isBusy) return failure('answerComing');
    this.#player?.silence();
    this.#conversation = conversation;
    this.#emitReplaced();
    return done;
  }

  #versionWith(turn: string | undefined, conversation: ChatThread): ChatThread {
    return switchToTurn(conversation, turn, () => this.#newTurns.id());
  }

  #setSpeech(turn: string, samples: number): void {
    const seconds = samples / outputRate;
    this.#changeAnswer(turn, { speechSeconds: seconds });
    this.#deps.emit({ kind: 'speech', turn, seconds });
  }

  #showCall(turn: string, call: ToolCall): void {
    const answer = this.#conversation.turns.find(({ id }) => id === turn);
    const known = answer?.role === 'assistant' ? (answer.calls ?? []) : [];
    const isNew = known.every(({ id }) => id !== call.id);
    const calls = isNew
      ? [...known, call]
      : known.map((other) => (other.id === call.id ? call : other));
    this.#changeAnswer(turn, { calls });
    this.#deps.emit({ kind: 'call', turn, call });
  }

  #changeAnswer(id: string, change: Partial<AssistantTurn>): void {
    const turns = this.#conversation.turns.map((turn) =>
      turn.id === id && turn.role === 'assistant' ? { ...turn, ...change } : turn,
    );
    this.#conversation = { ...this.#conversation, turns };
  }

  #notifyChanged(): void {
    this.#deps.onChanged(this.#conversation);
  }

  #emitReplaced(): void {
    this.#deps.emit({ kind: 'replaced', conversation: this.#conversation });
  }

  #indexOf(turn: string): number | undefined {
    const index = this.#conversation.turns.findIndex(({ id }) => id === turn);
    return index === -1 ? undefined : index;
  }
}
