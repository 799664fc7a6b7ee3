import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { CoreMessages } from '../../../shared/i18n/messages.ts';
import type { NoticeName } from '../../../shared/ipc/contract.ts';
import type { Clock, Random } from '../../../shared/ports/clock.ts';
import type { Sockets } from '../../../shared/ports/sockets.ts';
import {
  type DialectName,
  type DuplexMode,
  outputRate,
} from '../../../shared/protocol/realtime-api.ts';
import type { ServerCodec } from '../../../shared/protocol/server-codec.ts';
import {
  replayedNoticeNames,
  type ReplayedNotice,
} from '../../../shared/recordings/replay-scene.ts';
import type { OwnPhrase } from '../../../shared/talk/own-words.ts';
import type { ConversationEvent } from '../../talk/conversation-event.ts';
import type { Conversation } from '../../talk/conversation.ts';
import type { SessionEvent } from '../../talk/session/session-event.ts';
import type { Session, SessionOptions } from '../../talk/session/session.ts';
import { TalkPublisher } from '../../talk/talk-reporter.ts';
import type { Tape } from '../tape/tape.ts';
import { PlayheadTrack, openReplayConversation } from './replay-conversation.ts';
import { TimelineBuilder, estimateTimeline, type TimelineEstimate } from './timeline-builder.ts';
import { RenderedTape } from './rendered-tape.ts';
import { createReplay, type Replay } from './replay-tape.ts';
import { beginningOf, dialectOnTape, type EventLine, eventsOf } from './tape-lines.ts';
import { TapedMicrophone, TapedPerson } from './taped-person.ts';
import { createVirtualClock } from './virtual-clock.ts';

/** No socket and no device among them: a rendered tape is made of what stands on its tape. */
export interface TapeRendererDeps {
  readonly codec: Pick<ServerCodec, 'decodeClientEvent'>;
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
  /** The person's own words where they are known, by when they were said on the tape. */
  readonly ownPhrases?: readonly OwnPhrase[] | undefined;
  /** Told what came of which turn. */
  readonly answered?: ((answer: TapedAnswer) => void) | undefined;
}

/** Something of a turn, as it came on a line of its tape. */
export interface TapedAnswer {
  /** Counted from 0. */
  readonly line: number;
  readonly turn: number;
  readonly samples: number;
}

/** What still sounds when the last line has been played is heard, but not for ever. */
const maxTailMs = 60_000;
/** Nothing follows from the last line later than that, but timers. */
const settleMs = 50;

/** Makes a rendered tape of a tape: the very session, playout and captions of a talk, on a clock that does not wait. */
export class TapeRenderer {
  readonly rendered: RenderedTape;
  readonly #tape: Tape;
  readonly #deps: TapeRendererDeps;
  readonly #clock = createVirtualClock();
  readonly #marks = new TimelineBuilder();
  readonly #sketch: TimelineEstimate;
  readonly #track: PlayheadTrack;
  /** The tape has what was shown of controls, devices and floor; else it is what can be known without. */
  readonly #shown: boolean;
  readonly #publisher: TalkPublisher;
  readonly #replay: Replay;
  readonly #conversation: Conversation;
  readonly #chances: EventLine[];
  readonly #person: TapedPerson;
  readonly #pictureLines: number[] = [];
  readonly #ownPhrases: OwnPhrase[];
  #dialect: 'auto' | DialectName;
  #phase: 'reconnecting' | 'ended' | 'other' = 'other';
  #began: number | undefined;
  #position = 0;

  constructor(tape: Tape, mode: DuplexMode, deps: TapeRendererDeps) {
    this.#tape = tape;
    this.#deps = deps;
    this.#ownPhrases = [...(deps.ownPhrases ?? [])];
    this.rendered = new RenderedTape(tape.lines.at(-1)?.at ?? 0);
    this.#sketch = estimateTimeline(tape);
    const events = eventsOf(tape.lines);
    this.#track = new PlayheadTrack(events);
    this.#shown = events.some(({ event }) => event?.kind === 'controls');
    this.#chances = events.filter(({ event }) => event?.kind === 'chance');
    this.#dialect = dialectOnTape(tape, deps.codec);
    this.#publisher = new TalkPublisher((name, payload) => {
      this.#note({ name, payload });
    });
    this.#replay = createReplay(tape, {
      clock: this.#clock,
      codec: deps.codec,
      leaveOpen: true,
      waiting: this.#onWaiting,
      happened: () => {
        this.#person.happened();
      },
    });
    this.#person = new TapedPerson(tape, events, {
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
      random: this.#chance,
      dialect: this.#dialect,
      began: beginningOf(events),
      track: this.#track,
      carryOver: deps.carryOver,
      openSession: this.#openSession,
      played: this.#played,
      cue: (cue) => {
        this.rendered.addCue(cue, this.#began ?? 0);
      },
      heard: (turn) => {
        this.#marks.heard(this.#clock.now(), turn);
      },
      emit: this.#hear,
    });
    this.#replay.begin(this.#person.target);
    this.#mark(true);
  }

  /** The line on which a picture went out. */
  pictureLine(picture: number): number | undefined {
    return this.#pictureLines[picture];
  }

  /** Goes on until `enough`; says whether there is more to be made. */
  async make(enough: () => boolean): Promise<boolean> {
    let more = false;
    await this.#clock.run(() => this.#over || (more = enough()));
    this.rendered.readyMs = more
      ? this.#clock.now()
      : Math.max(this.rendered.lengthMs, this.#lastAt);
    this.rendered.lengthMs = Math.max(more ? this.rendered.lengthMs : 0, this.rendered.readyMs);
    this.#addOwnUntil(this.rendered.readyMs);
    this.#mark(more);
    return more;
  }

  /** Exact as far as the rendered tape is made; behind that what the lines say. */
  #mark(more: boolean): void {
    const { readyMs } = this.rendered;
    const { marks, turns } = this.#marks;
    const later = more ? this.#sketch : { marks: [], turns: [] };
    this.rendered.marks = [...marks, ...later.marks.filter(({ at }) => at > readyMs)];
    this.rendered.turns = [...turns, ...later.turns.filter(({ from }) => from > readyMs)];
  }

  /** The tape's last line, or what came of it a moment later. */
  get #lastAt(): number {
    const last = this.#tape.lines.at(-1)?.at ?? 0;
    const shown = this.rendered.notices.at(-1)?.at ?? 0;
    const heard = this.#marks.turns.at(-1)?.to ?? 0;
    return this.#tape.cut ? last : Math.max(last, shown, heard);
  }

  get #over(): boolean {
    if (this.#replay.played() < this.#tape.lines.length) return false;
    const since = this.#clock.now() - (this.#tape.lines.at(-1)?.at ?? 0);
    if (this.#tape.cut || since > maxTailMs) return true;
    return since > settleMs && !this.#conversation.sounding();
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
        // The same tape gives the same rendered tape each time.
        random: middle,
        emit: (event) => {
          if (event.event === 'session') this.#dialect = event.dialect;
          emit(event);
        },
      },
    );
    // The first begins when its conversation is there.
    if (this.#replay.played() > 0) this.#replay.begin(this.#person.target);
    return session;
  };

  /** Decides as it did when the tape was recorded. */
  readonly #chance = (): number => {
    const { event } = this.#chances.shift() ?? {};
    return event?.kind === 'chance' ? event.value : middle();
  };

  /** The tape comes to a session that the conversation has not opened yet. */
  readonly #onWaiting = (): void => {
    if (this.#phase === 'reconnecting') this.#conversation.onNetworkBack();
    else if (this.#phase === 'ended') this.#conversation.continueTalk('transcript');
  };

  readonly #hear = (event: ConversationEvent): void => {
    const at = this.#clock.now();
    const { event: name } = event;
    if (this.#shown && (name === 'controls' || name === 'floor' || name === 'devices')) return;
    if (event.event === 'text' || event.event === 'audio') {
      const samples = event.event === 'audio' ? event.audio.length : 0;
      this.#deps.answered?.({ line: this.#replay.played() - 1, turn: event.turn, samples });
    }
    if (event.event === 'state' && event.state === 'live') this.#began ??= at;
    if (event.event === 'audio') this.#began ??= at;
    if (event.event === 'talk') {
      this.#marks.state(at, event.state);
      const { phase } = event.state;
      this.#phase = phase === 'reconnecting' || phase === 'ended' ? phase : 'other';
    }
    if (event.event === 'turnHeard') this.#marks.settled(event.turn, event.cut !== '');
    if (event.event === 'sent' && event.frames > 0) {
      this.#pictureLines.push(this.#person.lookedAt);
      this.#addOwnUntil(at);
      this.rendered.add({ at, name: 'picture', payload: this.#marks.picture(at) });
    }
    this.#publisher.publish(event);
  };

  #note(notice: { readonly name: NoticeName; readonly payload: unknown }): void {
    const at = this.#clock.now();
    const kept = keptNotice(at, notice);
    if (kept === undefined) return;
    if (kept.name === 'talkTrouble') this.#marks.trouble(at, kept.payload);
    this.#addOwnUntil(at);
    this.rendered.add(kept);
  }

  /** Each at its place among the others, which come in the order of their times. */
  #addOwnUntil(until: number): void {
    while ((this.#ownPhrases[0]?.at ?? Infinity) <= until)
      for (const payload of this.#ownPhrases.splice(0, 1))
        this.rendered.add({ at: payload.at, name: 'ownPhrase', payload });
  }

  readonly #played = (samples: Float32Array): void => {
    const zero = ((this.#began ?? this.#clock.now()) * outputRate) / 1000;
    const at = Math.round(zero) + this.#position;
    this.rendered.heard.put(at, samples);
    this.rendered.parleyLevels.put(at, samples);
    this.#position += samples.length;
  };
}

const middle = (): number => 0.5;

/** The notice as a rendered tape holds it; nothing where it does not. */
function keptNotice(
  at: number,
  { name, payload }: { readonly name: NoticeName; readonly payload: unknown },
): ReplayedNotice | undefined {
  return replayedNames.has(name) ? ({ at, name, payload } as ReplayedNotice) : undefined;
}

const replayedNames: ReadonlySet<NoticeName> = new Set<NoticeName>(replayedNoticeNames);

/** For who must not be held up while a rendered tape is made, and may be tired of it. */
export interface RenderPacing {
  readonly clock: Clock;
  readonly stopped: () => boolean;
  /** From 0 to 1. */
  readonly made: (part: number) => void;
}

/** The loop is held no longer at a time. */
const sliceMs = 12;
const restMs = 2;

/** All of a tape's rendered tape, for who shows nothing meanwhile: in one go, or in slices between which others have their turn. */
export async function renderTape(
  tape: Tape,
  deps: TapeRendererDeps,
  pace?: RenderPacing,
): Promise<Outcome<TapeRenderer>> {
  const { mode } = tape.header;
  // No rendered tape is made of a written conversation.
  if (mode === 'chat') return failure('replayOfChat');
  const maker = new TapeRenderer(tape, mode, deps);
  if (pace === undefined) await maker.make(() => false);
  else while (await makeSlice(maker, pace)) if (pace.stopped()) return failure('exportStopped');
  return { ok: true, value: maker };
}

async function makeSlice(maker: TapeRenderer, { clock, made }: RenderPacing): Promise<boolean> {
  const began = clock.now();
  const more = await maker.make(() => clock.now() - began > sliceMs);
  const { readyMs, lengthMs } = maker.rendered;
  made(more ? readyMs / Math.max(1, lengthMs) : 1);
  if (more) await new Promise<void>((resolve) => clock.after(restMs, resolve));
  return more;
}
