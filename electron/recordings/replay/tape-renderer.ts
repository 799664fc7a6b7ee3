import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { CoreMessages } from '../../../shared/i18n/messages.ts';
import type { NoticeName } from '../../../shared/ipc/contract.ts';
import { type Clock, delay, type Random } from '../../../shared/ports/clock.ts';
import type { Sockets } from '../../../shared/ports/sockets.ts';
import {
  type DialectName,
  type DuplexMode,
  outputRate,
} from '../../../shared/protocol/realtime-api.ts';
import {
  replayedNoticeNames,
  type ReplayedNotice,
} from '../../../shared/recordings/replay-view.ts';
import type { UserPhrase } from '../../../shared/talk/talk-view.ts';
import type { ConversationEvent } from '../../talk/conversation-options.ts';
import type { Conversation } from '../../talk/conversation.ts';
import type { SessionEvent } from '../../talk/session/session-event.ts';
import type { Session, SessionOptions } from '../../talk/session/session.ts';
import { TalkPublisher } from '../../talk/talk-reporter.ts';
import type { Tape } from '../tape/tape.ts';
import {
  PlayheadTrack,
  openReplayConversation,
  TapedMicrophone,
  TapedUser,
} from './replay-conversation.ts';
import { TimelineBuilder, estimateTimeline, type TimelineEstimate } from './timeline-builder.ts';
import { RenderedTape } from './rendered-tape.ts';
import { createReplay, type Replay } from './replay-tape.ts';
import {
  type ClientEventDecoder,
  detectDialect,
  type EventLine,
  findBeginning,
  listEvents,
} from './tape-lines.ts';
import { createVirtualClock } from './virtual-clock.ts';

/** Rendering reads only the tape, so it needs no sockets and devices. */
export interface TapeRendererDeps {
  readonly codec: ClientEventDecoder;
  readonly openSession: (
    options: SessionOptions,
    deps: {
      readonly sockets: Sockets;
      readonly clock: Clock;
      readonly random: Random;
      readonly emit: (event: SessionEvent) => void;
    },
  ) => Session;
  readonly carryOver: CoreMessages['carryOver'];
  /** The user's words with their tape times, if the talk's text is stored. */
  readonly userPhrases?: readonly UserPhrase[] | undefined;
  /** Reports which server line belongs to which turn. */
  readonly onAnswer?: ((answer: TapedAnswer) => void) | undefined;
}

/** Text or sound of a turn, and the line it came on. */
export interface TapedAnswer {
  readonly line: number;
  readonly turn: number;
  readonly samples: number;
}

/** Longest time the last answer may sound after the last line. */
const maxTailMs = 60_000;
/** Effects of the last line arrive within this time, except those of timers. */
const settleMs = 50;

/** Renders a tape: runs the real session, playout and captions on a virtual clock. */
export class TapeRenderer {
  readonly rendered: RenderedTape;
  readonly #tape: Tape;
  readonly #deps: TapeRendererDeps;
  readonly #clock = createVirtualClock();
  readonly #marks = new TimelineBuilder();
  readonly #estimate: TimelineEstimate;
  readonly #track: PlayheadTrack;
  /** Whether the tape records controls, devices and floor. Older tapes do not, so the conversation derives them. */
  readonly #recordsState: boolean;
  readonly #publisher: TalkPublisher;
  readonly #replay: Replay;
  readonly #conversation: Conversation;
  readonly #randomEvents: EventLine[];
  readonly #computerEvents: readonly EventLine[];
  readonly #user: TapedUser;
  readonly #pictureLines: number[] = [];
  readonly #userPhrases: UserPhrase[];
  #dialect: 'auto' | DialectName;
  #phase: 'reconnecting' | 'ended' | 'other' = 'other';
  #began: number | undefined;
  #position = 0;

  constructor(tape: Tape, mode: DuplexMode, deps: TapeRendererDeps) {
    this.#tape = tape;
    this.#deps = deps;
    this.#userPhrases = [...(deps.userPhrases ?? [])];
    this.rendered = new RenderedTape(tape.lines.at(-1)?.at ?? 0);
    this.#estimate = estimateTimeline(tape);
    const events = listEvents(tape.lines);
    this.#track = new PlayheadTrack(events);
    this.#recordsState = events.some(({ event }) => event?.kind === 'controls');
    this.#randomEvents = events.filter(({ event }) => event?.kind === 'chance');
    this.#computerEvents = events.filter(({ event }) => event?.kind === 'computerSound');
    this.#dialect = detectDialect(tape, deps.codec);
    this.#publisher = new TalkPublisher((name, payload) => this.#addNotice({ name, payload }));
    this.#replay = createReplay(tape, {
      clock: this.#clock,
      codec: deps.codec,
      keepsOpen: true,
      onWaiting: this.#onWaiting,
      onEvent: () => this.#user.followEvent(),
    });
    this.#user = new TapedUser(tape, events, {
      clock: this.#clock,
      marks: this.#marks,
      publisher: this.#publisher,
      microphone: new TapedMicrophone(this.rendered),
      replay: this.#replay,
      conversation: () => this.#conversation,
    });
    this.#publisher.publishBegan({ mode, endpoint: tape.header.endpoint });
    this.#conversation = openReplayConversation(tape.header, mode, {
      clock: this.#clock,
      random: this.#repeatRandom,
      dialect: this.#dialect,
      began: findBeginning(events),
      track: this.#track,
      carryOver: deps.carryOver,
      openSession: this.#openSession,
      onPlayed: this.#onPlayed,
      onCue: (cue) => this.rendered.addCue(cue, this.#began ?? 0),
      onHeard: (turn) => this.#marks.extendTurn(this.#clock.now(), turn),
      emit: this.#onConversationEvent,
    });
    this.#replay.begin(this.#user.target);
    this.#updateMarks(true);
  }

  /** Index of the line that sent this picture. */
  pictureLine(picture: number): number | undefined {
    return this.#pictureLines[picture];
  }

  /** Renders until `shouldPause` returns true; returns whether anything is left. */
  async render(shouldPause: () => boolean): Promise<boolean> {
    let more = false;
    await this.#clock.run(() => this.#over || (more = shouldPause()));
    this.rendered.readyMs = more
      ? this.#clock.now()
      : Math.max(this.rendered.lengthMs, this.#lastAt);
    this.rendered.lengthMs = Math.max(more ? this.rendered.lengthMs : 0, this.rendered.readyMs);
    this.#addUserPhrasesUntil(this.rendered.readyMs);
    this.#updateMarks(more);
    return more;
  }

  /** Marks are exact up to `readyMs` and estimated after it. */
  #updateMarks(more: boolean): void {
    const { readyMs } = this.rendered;
    const { marks, turns } = this.#marks;
    const later = more ? this.#estimate : { marks: [], turns: [] };
    this.rendered.marks = [...marks, ...later.marks.filter(({ at }) => at > readyMs)];
    this.rendered.turns = [...turns, ...later.turns.filter(({ from }) => from > readyMs)];
  }

  /** Time of the last line or of its last effect. */
  get #lastAt(): number {
    const last = this.#tape.lines.at(-1)?.at ?? 0;
    const shown = this.rendered.notices.at(-1)?.at ?? 0;
    const heard = this.#marks.turns.at(-1)?.to ?? 0;
    return this.#tape.cut ? last : Math.max(last, shown, heard);
  }

  get #over(): boolean {
    if (this.#replay.playedLines() < this.#tape.lines.length) return false;
    const since = this.#clock.now() - (this.#tape.lines.at(-1)?.at ?? 0);
    if (this.#tape.cut || since > maxTailMs) return true;
    if (since <= settleMs) return false;
    // Parley quit before it was connected again. The tape has all that was heard until then.
    const hasQuit = this.#phase === 'reconnecting' && this.#recordsState;
    return hasQuit || !this.#conversation.isSounding();
  }

  readonly #openSession = (
    options: SessionOptions,
    emit: (event: SessionEvent) => void,
  ): Session => {
    const { sockets } = this.#replay;
    const session = this.#deps.openSession(
      { ...options, dialect: this.#dialect },
      {
        sockets,
        clock: this.#clock,
        // The same tape must give the same result each time.
        random: neutralRandom,
        emit: (event) => {
          if (event.event === 'session') this.#dialect = event.dialect;
          emit(event);
        },
      },
    );
    // For the first session the constructor does this, because the conversation does not exist here yet.
    if (this.#replay.playedLines() > 0) this.#replay.begin(this.#user.target);
    return session;
  };

  /** Repeats the random decisions recorded on the tape. */
  readonly #repeatRandom = (): number => {
    const { event } = this.#randomEvents.shift() ?? {};
    return event?.kind === 'chance' ? event.value : neutralRandom();
  };

  /** The tape continues on a connection that the conversation has not opened yet. */
  readonly #onWaiting = (): void => {
    if (this.#phase === 'reconnecting') this.#conversation.onNetworkBack();
    else if (this.#phase === 'ended') this.#conversation.continueTalk('transcript');
  };

  readonly #onConversationEvent = (event: ConversationEvent): void => {
    const at = this.#clock.now();
    const { event: name } = event;
    if (this.#recordsState && (name === 'controls' || name === 'floor' || name === 'devices'))
      return;
    if (event.event === 'text' || event.event === 'audio') {
      const samples = event.event === 'audio' ? event.audio.length : 0;
      this.#deps.onAnswer?.({ line: this.#replay.playedLines() - 1, turn: event.turn, samples });
    }
    if (event.event === 'state' && event.state === 'live') this.#began ??= at;
    if (event.event === 'audio') this.#began ??= at;
    if (event.event === 'talk') {
      this.#marks.followState(at, event.state);
      const { phase } = event.state;
      this.#phase = phase === 'reconnecting' || phase === 'ended' ? phase : 'other';
    }
    if (event.event === 'turnHeard') this.#marks.settleTurn(event.turn, event.cut !== '');
    if (event.event === 'sent' && event.frames > 0) {
      this.#pictureLines.push(this.#user.lastPictureLine);
      this.#addUserPhrasesUntil(at);
      this.rendered.add({ at, name: 'picture', payload: this.#marks.addPicture(at) });
    }
    this.#publisher.publish(event);
  };

  #addNotice(notice: { readonly name: NoticeName; readonly payload: unknown }): void {
    const at = this.#clock.now();
    const replayed = toReplayedNotice(at, notice);
    if (replayed === undefined) return;
    if (replayed.name === 'talkTrouble') this.#marks.addTrouble(at, replayed.payload);
    this.#addUserPhrasesUntil(at);
    this.rendered.add(replayed);
  }

  /** Inserts the user's phrases in time order. */
  #addUserPhrasesUntil(until: number): void {
    while ((this.#userPhrases[0]?.at ?? Infinity) <= until)
      for (const phrase of this.#userPhrases.splice(0, 1)) {
        const { at } = phrase;
        const payload = this.#hearsComputerAt(at)
          ? { ...phrase, hearsComputer: true as const }
          : phrase;
        this.rendered.add({ at, name: 'userPhrase', payload });
      }
  }

  #hearsComputerAt(time: number): boolean {
    const { event } = this.#computerEvents.findLast(({ at }) => at <= time) ?? {};
    return event?.kind === 'computerSound' && event.on;
  }

  readonly #onPlayed = (samples: Float32Array): void => {
    const zero = ((this.#began ?? this.#clock.now()) * outputRate) / 1000;
    const at = Math.round(zero) + this.#position;
    this.rendered.heard.put(at, samples);
    this.rendered.parleyLevels.put(at, samples);
    this.#position += samples.length;
  };
}

const neutralRandom = (): number => 0.5;

function toReplayedNotice(
  at: number,
  { name, payload }: { readonly name: NoticeName; readonly payload: unknown },
): ReplayedNotice | undefined {
  return replayedNames.has(name) ? ({ at, name, payload } as ReplayedNotice) : undefined;
}

const replayedNames: ReadonlySet<NoticeName> = new Set<NoticeName>(replayedNoticeNames);

/** Lets a caller interleave rendering with other work, and cancel it. */
export interface RenderPacing {
  readonly clock: Clock;
  readonly isStopped: () => boolean;
  readonly onProgress: (part: number) => void;
}

/** Longest time one slice may block the event loop. */
const maxSliceMs = 12;
const pauseMs = 2;

/** Renders a whole tape, at once or in slices. */
export async function renderTape(
  tape: Tape,
  deps: TapeRendererDeps,
  pace?: RenderPacing,
): Promise<Outcome<TapeRenderer>> {
  const { mode } = tape.header;
  // Written conversations cannot be replayed.
  if (mode === 'chat') return failure('replayOfChat');
  const renderer = new TapeRenderer(tape, mode, deps);
  if (pace === undefined) await renderer.render(() => false);
  else
    while (await renderSlice(renderer, pace)) if (pace.isStopped()) return failure('exportStopped');
  return { ok: true, value: renderer };
}

async function renderSlice(
  renderer: TapeRenderer,
  { clock, onProgress }: RenderPacing,
): Promise<boolean> {
  const began = clock.now();
  const more = await renderer.render(() => clock.now() - began > maxSliceMs);
  const { readyMs, lengthMs } = renderer.rendered;
  onProgress(more ? readyMs / Math.max(1, lengthMs) : 1);
  if (more) await delay(clock, pauseMs);
  return more;
}
