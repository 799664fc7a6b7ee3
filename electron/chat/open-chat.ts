import type { ChatOptions } from '../../shared/chat/chat-options.ts';
import type { ChatPatch } from '../../shared/chat/chat-patch.ts';
import type {
  AssistantTurn,
  Conversation,
  Part,
  Turn,
  UserTurn,
} from '../../shared/chat/conversation.ts';
import { outputRate } from '../../shared/protocol/limits.ts';
import type { Outcome } from '../ports/outcome.ts';
import { Answering } from './answering.ts';
import type { AnswerPlayer } from './answer-player.ts';
import { removeTurn, setAside, switchTo } from './branches.ts';
import type { Chat, ChatNeeds, ChatSettings } from './chat.ts';
import { LineToServer } from './line-to-server.ts';
import { makeId } from './ids.ts';
import { prepareQuestion } from './prepare-question.ts';
import type { PreparedQuestion } from './prepare-question.ts';
import { refusals } from './refusals.ts';
import { SpeechShelf } from './speech-shelf.ts';
import { titleOf } from './title.ts';

/** About eleven minutes of speech: 64 MiB. */
const mostSpeech = 16 * 1024 * 1024;

/** Opens a conversation. Nothing is connected before something is asked. */
export function openChat(settings: ChatSettings, needs: ChatNeeds): Chat {
  return new Desk(settings, needs);
}

const done: Outcome<undefined> = { ok: true, value: undefined };
/** Keeps the conversation; the answer that is coming is `Answering`'s. */
class Desk implements Chat {
  readonly #needs: ChatNeeds;
  readonly #line: LineToServer;
  readonly #player: AnswerPlayer | undefined;
  readonly #speech: SpeechShelf;
  #conversation: Conversation;
  #options: ChatOptions;
  #answering: Answering | undefined;

  constructor({ conversation, options }: ChatSettings, needs: ChatNeeds) {
    this.#needs = needs;
    this.#options = options;
    this.#conversation = conversation ?? this.#begin();
    this.#line = new LineToServer({
      ...needs,
      tell: (line) => {
        needs.tell({ kind: 'line', line });
      },
    });
    this.#speech = new SpeechShelf(mostSpeech, (turn) => {
      this.#setSpeech(turn, 0);
    });
    this.#player = needs.player;
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  get options(): ChatOptions {
    return this.#options;
  }

  get busy(): boolean {
    return this.#answering !== undefined;
  }

  readonly send = (parts: readonly Part[]): Outcome<undefined> => {
    const user = this.#questionOf(parts);
    return this.#ask(this.#conversation, user, true);
  };

  readonly stop = (): void => {
    if (this.#answering === undefined) return;
    this.#line.stop();
    this.#player?.silence();
    this.#answering.stopped();
  };

  readonly retry = (turn: string): Outcome<undefined> => {
    const { turns } = this.#conversation;
    const named = this.#indexOf(turn);
    if (named === undefined) return refusals.messageGone;
    const index = turns[named]?.role === 'user' ? named : named - 1;
    const question = turns[index];
    if (question?.role !== 'user') return refusals.questionGone;
    return this.#ask(setAside(this.#conversation, index + 1, this.#id()), question, false);
  };

  readonly edit = (turn: string, parts: readonly Part[]): Outcome<undefined> => {
    const index = this.#indexOf(turn);
    const isQuestion = index !== undefined && this.#conversation.turns[index]?.role === 'user';
    if (!isQuestion) return refusals.messageGone;
    const before = setAside(this.#conversation, index, this.#id());
    return this.#ask(before, this.#questionOf(parts), true);
  };

  readonly remove = (turn: string): Outcome<undefined> => {
    const index = this.#indexOf(turn);
    if (index === undefined) return refusals.messageGone;
    return this.#replace(removeTurn(this.#conversation, index));
  };

  readonly choose = (branch: string): Outcome<undefined> => {
    return this.#replace(switchTo(this.#conversation, branch, this.#id()));
  };

  readonly rename = (title: string): void => {
    this.#change({ title: title.trim() });
    this.#needs.tell({ kind: 'titled', title: this.#conversation.title });
    this.#keep();
  };

  readonly setOptions = (options: ChatOptions): void => {
    this.#options = options;
    this.#needs.tell({ kind: 'options', options });
  };

  readonly play = (turn: string): Outcome<undefined> => {
    const answer = this.#conversation.turns.find(({ id }) => id === turn);
    if (answer?.role !== 'assistant') return refusals.messageGone;
    const pieces = this.#speech.of(turn);
    if (pieces.length === 0) return refusals.speechGone;
    if (this.#player === undefined) return refusals.noPlayer;
    if (this.#answering?.id === turn) return refusals.answerComing;
    this.#player.begin(turn, this.#needs.tell);
    this.#player.text(answer.text);
    for (const piece of pieces) this.#player.audio(piece);
    this.#player.end();
    return done;
  };

  readonly silence = (): void => {
    this.#player?.silence();
  };

  readonly close = async (): Promise<void> => {
    this.stop();
    this.#player?.silence();
    await this.#line.close();
  };

  #ask(before: Conversation, user: UserTurn, isNew: boolean): Outcome<undefined> {
    if (this.busy) return refusals.answerComing;
    const earlier = isNew ? before.turns : before.turns.slice(0, -1);
    const question = prepareQuestion(earlier, user, this.#options, this.#needs);
    if (!question.ok) return question;
    const answer = this.#emptyAnswer();
    const moved = before !== this.#conversation;
    const turns: readonly Turn[] = [...earlier, user, answer];
    const title = before.title === '' ? titleOf(user.parts) : before.title;
    const titled = title !== before.title;
    this.#conversation = { ...before, turns, title, updatedAt: this.#needs.wallClock() };
    if (moved) this.#tellWhole();
    else {
      this.#needs.tell({ kind: 'added', turn: user });
      this.#needs.tell({ kind: 'added', turn: answer });
      if (titled) this.#needs.tell({ kind: 'titled', title });
    }
    this.#keep();
    this.#listen(answer, question.value);
    return done;
  }

  #listen(answer: AssistantTurn, { turn, sent }: PreparedQuestion): void {
    this.#needs.tell({ kind: 'sent', sent });
    this.#player?.begin(answer.id, this.#needs.tell);
    const answering = new Answering(answer, {
      clock: this.#needs.clock,
      player: this.#player,
      tell: this.#needs.tell,
      speak: (audio) => {
        this.#setSpeech(answer.id, this.#speech.add(answer.id, audio));
      },
      write: (change) => {
        this.#changeAnswer(answer.id, change);
      },
      over: () => {
        this.#answering = undefined;
        this.#keep();
      },
    });
    this.#answering = answering;
    this.#line.ask(turn, answering.hear);
  }

  #questionOf(parts: readonly Part[]): UserTurn {
    return { role: 'user', id: this.#id(), at: this.#needs.wallClock(), parts };
  }

  #emptyAnswer(): AssistantTurn {
    const at = this.#needs.wallClock();
    const state = { kind: 'streaming' } as const;
    return { role: 'assistant', id: this.#id(), at, text: '', state, speechSeconds: 0 };
  }

  #replace(conversation: Conversation | undefined): Outcome<undefined> {
    if (this.busy) return refusals.answerComing;
    if (conversation === undefined) return refusals.beforeGone;
    this.#player?.silence();
    this.#conversation = { ...conversation, updatedAt: this.#needs.wallClock() };
    this.#tellWhole();
    this.#keep();
    return done;
  }

  #setSpeech(turn: string, samples: number): void {
    const seconds = samples / outputRate;
    this.#changeAnswer(turn, { speechSeconds: seconds });
    this.#needs.tell({ kind: 'speech', turn, seconds });
  }

  #changeAnswer(id: string, change: Partial<AssistantTurn>): void {
    const turns = this.#conversation.turns.map((turn) =>
      turn.id === id && turn.role === 'assistant' ? { ...turn, ...change } : turn,
    );
    this.#conversation = { ...this.#conversation, turns };
  }

  #change(change: Partial<Conversation>): void {
    this.#conversation = { ...this.#conversation, ...change };
  }

  #keep(): void {
    this.#needs.changed(this.#conversation);
  }

  #tellWhole(): void {
    const tell: (patch: ChatPatch) => void = this.#needs.tell;
    tell({ kind: 'replaced', conversation: this.#conversation });
  }

  #indexOf(turn: string): number | undefined {
    const index = this.#conversation.turns.findIndex(({ id }) => id === turn);
    return index === -1 ? undefined : index;
  }

  #id(): string {
    return makeId(this.#needs.random);
  }

  #begin(): Conversation {
    const at = this.#needs.wallClock();
    const times = { createdAt: at, updatedAt: at };
    return { id: this.#id(), title: '', ...times, pinned: false, turns: [], branches: [] };
  }
}
