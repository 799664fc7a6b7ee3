import type {
  ConversationDeps,
  ConversationEvent,
  ConversationOptions,
} from '../../../../electron/talk/conversation-options.ts';
import { Conversation } from '../../../../electron/talk/conversation.ts';
import type {
  SessionEvent,
  SessionPhase,
} from '../../../../electron/talk/session/session-event.ts';
import type { Session, SessionOptions } from '../../../../electron/talk/session/session.ts';
import { sessionError } from '../../../../shared/errors/app-error.ts';
import { englishCarryOver } from '../../../../shared/i18n/en/prompts.ts';
import { type CaptionedTurn, patchCaption } from '../../../../shared/talk/talk-view.ts';
import { ClockSpeaker } from '../../../fakes/fake-speaker.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';
import { seeded } from '../../../fakes/seeded.ts';

type EventOf<Name extends ConversationEvent['event']> = Extract<ConversationEvent, { event: Name }>;
type Closed = Extract<SessionEvent, { event: 'closed' }>;

export const endedByUser: Closed = {
  event: 'closed',
  error: sessionError('user_stop'),
  by: 'client',
  orderly: true,
};

export const lost: Closed = {
  event: 'closed',
  error: sessionError('connection_lost'),
  by: 'network',
  orderly: false,
};

/** A session that does nothing by itself: the test emits its events. */
export class FakeSession implements Session {
  readonly options: SessionOptions;
  readonly emit: (event: SessionEvent) => void;
  readonly calls: string[] = [];
  readonly heard: number[] = [];
  onInterrupt: () => void = () => undefined;
  phase: SessionPhase = 'connecting';
  #paused = false;

  constructor(options: SessionOptions, emit: (event: SessionEvent) => void) {
    this.options = options;
    this.emit = emit;
  }

  enter(...phases: readonly SessionPhase[]): this {
    for (const state of phases) {
      this.phase = state;
      this.emit({ event: 'state', state });
    }
    return this;
  }

  close(event: Closed): void {
    this.enter('closed');
    this.emit(event);
  }

  /** As in a real session, sound is lost while the session is paused, and sent a second at a time. */
  readonly pushAudio = (block: Float32Array): void => {
    if (this.#paused) return;
    for (const sample of block) {
      this.heard.push(sample);
      if (this.heard.length % 16_000 === 0) this.#sent();
    }
  };

  #sent(): void {
    const samples = 16_000;
    this.emit({ event: 'sent', inputId: 'one', samples, frames: 0, forceListen: false });
  }

  /** How many samples the current chunk lacks, with chunks of one second. */
  readonly missingSamples = (): number => (16_000 - (this.heard.length % 16_000)) % 16_000;

  readonly pushFrame = (frame: Uint8Array | undefined): void =>
    void this.calls.push(`see ${frame?.length ?? 'nothing'}`);
  readonly setMaxSlices = (slices: number): void => void this.calls.push(`slices ${slices}`);
  readonly setInstructions = (text: string | undefined): void =>
    void this.calls.push(`told ${text ?? 'nothing'}`);
  readonly ask = (): void => undefined;
  readonly answerCall = (call: string, text: string): void =>
    void this.calls.push(`answered ${call}: ${text}`);
  readonly interrupt = (): void => {
    this.onInterrupt();
    this.calls.push('interrupt');
  };
  readonly pause = (): void => {
    this.#paused = true;
    // The unsent chunk is discarded.
    this.heard.length -= this.heard.length % 16_000;
    this.calls.push('pause');
  };
  readonly resume = (): void => {
    this.#paused = false;
    this.calls.push('resume');
  };
  readonly end = (): void => void this.calls.push('end');
}

/** The model's side of the sessions that the test plays. */
export abstract class FakeModel {
  readonly sessions: FakeSession[] = [];

  get session(): FakeSession {
    const session = this.sessions.at(-1);
    if (session === undefined) throw new Error('No session has been opened.');
    return session;
  }

  live(): this {
    this.session.enter('connecting', 'configuring', 'live');
    return this;
  }

  /** A step of the model with words and seconds of sound. */
  says(text: string, seconds: number, turn = 1): this {
    if (text !== '') this.session.emit({ event: 'text', turn, text });
    if (seconds > 0) {
      const audio = new Float32Array(seconds * 24_000).fill(0.3);
      this.session.emit({ event: 'audio', turn, audio });
    }
    return this;
  }

  ends(turn = 1): this {
    this.session.emit({ event: 'turnEnded', turn });
    return this;
  }
}

/** A conversation in which the test controls the sessions, the clock and the user. */
export class ConversationHarness extends FakeModel {
  readonly clock: FakeClock;
  readonly speaker: ClockSpeaker;
  readonly emitted: ConversationEvent[] = [];
  readonly talk: Conversation;

  constructor(
    options: Partial<ConversationOptions> = {},
    deps: Partial<ConversationDeps> = {},
    clock = new FakeClock(),
    around: (options: ConversationOptions, deps: ConversationDeps) => ConversationDeps = (_, own) =>
      own,
  ) {
    super();
    this.clock = clock;
    this.speaker = new ClockSpeaker(clock);
    const talkOptions: ConversationOptions = {
      mode: 'audio',
      settings: {},
      dialect: 'auto',
      chunkMs: 1000,
      talking: 'open',
      carryOver: englishCarryOver,
      ...options,
    };
    const talkDeps: ConversationDeps = {
      clock,
      random: seeded(1),
      speaker: this.speaker,
      microphone: undefined,
      wallNow: undefined,
      log: new FakeLog(),
      openSession: (sessionOptions, emit) => {
        const session = new FakeSession(sessionOptions, emit);
        this.sessions.push(session);
        return session;
      },
      emit: (event) => {
        this.emitted.push(event);
      },
      ...deps,
    };
    this.talk = new Conversation(talkOptions, around(talkOptions, talkDeps));
  }

  listens(yields: boolean): this {
    this.session.emit({ event: 'listen', yields });
    return this;
  }

  /** Advances time, with microphone sound of this loudness. */
  pass(ms: number, loudness = 0): this {
    for (let passed = 0; passed < ms; passed += 20) {
      this.clock.advance(20);
      this.talk.pushAudio(new Float32Array(320).fill(loudness));
    }
    return this;
  }

  emittedOf<Name extends ConversationEvent['event']>(name: Name): readonly EventOf<Name>[] {
    return this.emitted.filter((event): event is EventOf<Name> => event.event === name);
  }

  get state(): EventOf<'talk'>['state'] | undefined {
    return this.emittedOf('talk').at(-1)?.state;
  }

  get phases(): readonly string[] {
    return this.emittedOf('talk').map(({ state }) => state.phase);
  }

  get floors(): readonly string[] {
    return this.emittedOf('floor').map(({ floor }) => floor);
  }

  caption(turn: number): CaptionedTurn | undefined {
    let caption: CaptionedTurn | undefined;
    for (const { patch } of this.emittedOf('caption')) {
      if (patch.turn === turn) caption = patchCaption(caption, patch);
    }
    return caption;
  }

  /** The caption of a turn, in the form `heard|pending~cut`. */
  shown(turn: number): string {
    const caption = this.caption(turn);
    if (caption === undefined) return '';
    const { text, heard, cutFrom = text.length } = caption;
    const cut = text.slice(cutFrom);
    return `${text.slice(0, heard)}|${text.slice(heard, cutFrom)}${cut === '' ? '' : `~${cut}`}`;
  }
}
