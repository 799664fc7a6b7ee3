import { defaultBargeInOptions } from '../../../../electron/audio/detection/barge-in.ts';
import type { Fault, ServerProfile } from '../../../../electron/gateway/gateway-options.ts';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import type { Clock } from '../../../../shared/ports/clock.ts';
import type { Socket, SocketListener, Sockets } from '../../../../shared/ports/sockets.ts';
import { createClientCodec } from '../../../../shared/protocol/client-codec.ts';
import type { DialectName } from '../../../../shared/protocol/realtime-api.ts';
import { createServerCodec } from '../../../../shared/protocol/server-codec.ts';
import { fakeSpeech } from '../../../fakes/fake-speech.ts';
import { seeded } from '../../../fakes/seeded.ts';
import type { ConversationHarness } from './conversation-harness.ts';
import { gatewayHarness } from './gateway-harness.ts';

// `LongTalk`, a simulated talk over many short sessions, and `WireMonitor`, which records the traffic of its connections.

/** Traffic of one connection, by the test's clock. */
export interface WatchedSession {
  readonly askedAt: number;
  createdAt: number | undefined;
  readonly appends: { readonly at: number; readonly samples: number }[];
  readonly marks: Marks;
}

/** Each block has its own loudness, which identifies it on the wire: `quietest` for the first, `apart` more for each later one. */
const quietest = 0.2;
const apart = 1 / 8192;

function markOf(sample: number): number | undefined {
  return sample < quietest + apart / 2 ? undefined : Math.round((sample - quietest) / apart);
}

const markedLoudness = (mark: number): number => quietest + mark * apart;

/** Counts received samples per loudness; loudness rises with time. */
class Marks {
  readonly samplesByMark = new Map<number, number>();
  /** Samples received after later ones. */
  disorder = 0;
  #newest = 0;

  push(audio: Float32Array): void {
    for (let at = 0; at < audio.length; at += 1) {
      const mark = markOf(audio[at] ?? 0);
      if (mark === undefined) continue;
      this.samplesByMark.set(mark, (this.samplesByMark.get(mark) ?? 0) + 1);
      if (mark < this.#newest) this.disorder += 1;
      this.#newest = mark;
    }
  }
}

/** Observes the connections between a conversation and its server. */
export class WireMonitor {
  readonly sessions: WatchedSession[] = [];
  readonly #dialect: DialectName;
  readonly #server = createServerCodec(bufferBase64);
  readonly #client = createClientCodec(bufferBase64);

  constructor(dialect: DialectName) {
    this.#dialect = dialect;
  }

  around(sockets: Sockets, clock: Clock): Sockets {
    return { connect: (mode, listener) => this.#connect(sockets, clock, mode, listener) };
  }

  /** Sessions that the server created. */
  get live(): readonly (WatchedSession & { readonly createdAt: number })[] {
    return this.sessions.flatMap((session) =>
      session.createdAt === undefined ? [] : [{ ...session, createdAt: session.createdAt }],
    );
  }

  #connect(sockets: Sockets, clock: Clock, mode: string, listener: SocketListener): Socket {
    const session: WatchedSession = {
      askedAt: clock.now(),
      createdAt: undefined,
      appends: [],
      marks: new Marks(),
    };
    this.sessions.push(session);
    const inner = sockets.connect(mode, {
      ...listener,
      received: (text) => {
        if (session.createdAt === undefined && text !== undefined) {
          const { kind } = this.#client.decodeServerEvent(text);
          if (kind === 'created') session.createdAt = clock.now();
        }
        listener.received(text);
      },
    });
    return {
      ...inner,
      send: (text) => {
        const event = this.#server.decodeClientEvent(text, this.#dialect, { lenient: true });
        if (event.kind === 'append') {
          session.appends.push({ at: clock.now(), samples: event.audio.length });
          session.marks.push(event.audio);
        }
        inner.send(text);
      },
    };
  }
}

/** Dialects and profiles of the embedded gateway. */
export const serverKinds: readonly (readonly [DialectName, ServerProfile])[] = [
  ['unified', 'documented'],
  ['unified', 'deployed'],
  ['legacy', 'documented'],
  ['legacy', 'deployed'],
];

const blockMs = 20;
const blockSamples = 320;
const questionBlocks = 35;
/** An answer later than this counts as missing. */
const maxAnswerMs = 20_000;

/** Most pauses last this long or up to a second longer, so that questions come just before or after a hand-over begins. */
const shortMs = 400;

interface Question {
  readonly began: number;
  readonly ended: number;
  /** Milliseconds until its answer began; undefined if none came. */
  readonly waitedMs: number | undefined;
}

interface Silence {
  readonly at: number;
  /** How long nothing was sent, and the part that the server took to create the session. */
  readonly silenceMs: number;
  readonly serverMs: number;
}

/**
 * For tests of hand-overs: a talk over short sessions on a fake clock, which records lost words and sound, and waiting times.
 * Each block of speech has its own loudness, which identifies it.
 */
export class LongTalk {
  readonly harness: ConversationHarness;
  readonly watch: WireMonitor;
  readonly questions: Question[] = [];
  readonly #random = seeded(5);
  #said = 0;
  #answers = 0;
  /** The words of each turn, as received and as heard. */
  readonly #received = new Map<number, string>();
  readonly #heard = new Map<number, { readonly heard: string; readonly cut: string }>();
  readonly #passedOn = new Set<number>();
  readonly phases: string[] = [];
  readonly #handedOver: number[] = [];

  constructor(
    [dialect, profile]: readonly [DialectName, ServerProfile],
    seconds: number,
    faults: readonly Fault[] = [],
  ) {
    this.watch = new WireMonitor(dialect);
    const sessionSeconds = { audio: seconds, video: seconds };
    this.harness = gatewayHarness(
      { dialect, profile, sessionSeconds, faults },
      {
        handsOver: true,
        sessionSeconds: seconds,
        dialect,
        bargeIn: { ...defaultBargeInOptions, enabled: false },
      },
      fakeSpeech,
      this.watch,
      (samples) => {
        // All samples of a block have the same loudness.
        const mark = markOf(samples[0] ?? 0);
        if (mark !== undefined) this.#passedOn.add(mark);
      },
    );
    this.#hear();
    for (let waited = 0; waited < 30 && this.phases.at(-1) !== 'live'; waited += 1)
      this.#pass(1000);
  }

  get handOvers(): number {
    return this.#handedOver.length;
  }

  get reconnects(): number {
    return this.phases.filter(
      (phase, at) => phase === 'live' && this.phases[at - 1] === 'reconnecting',
    ).length;
  }

  /** The user asks, hears the answer, and pauses for a random time. */
  turn(): void {
    const began = this.harness.clock.now();
    const before = this.#answers;
    for (let block = 0; block < questionBlocks; block += 1) this.#block(this.#mark());
    const ended = this.harness.clock.now();
    const answered = (): boolean => this.#answers > before;
    while (!answered() && this.harness.clock.now() - ended < maxAnswerMs) this.#block(0);
    const waitedMs = answered() ? this.harness.clock.now() - ended : undefined;
    this.questions.push({ began, ended, waitedMs });
    while (this.harness.talk.isSounding()) this.#block(0);
    this.#pass(this.#random() < 0.7 ? shortMs + this.#random() * 1000 : this.#random() * 8000);
  }

  /** Waiting times of questions during a hand-over, and of the others. */
  waitingTimes(): { readonly across: readonly number[]; readonly within: readonly number[] } {
    const across: number[] = [];
    const withinTurns: number[] = [];
    for (const { began, ended, waitedMs } of this.questions) {
      if (waitedMs === undefined) continue;
      const isAcross = this.#handedOver.some((at) => at >= began && at <= ended + waitedMs);
      (isAcross ? across : withinTurns).push(waitedMs);
    }
    return { across, within: withinTurns };
  }

  /** Turns whose words were not all heard, and turns that were cut. */
  answers(): { readonly notHeard: readonly number[]; readonly cut: readonly number[] } {
    const turns = [...this.#received.keys()];
    return {
      notHeard: turns.filter((turn) => this.#heard.get(turn)?.heard !== this.#received.get(turn)),
      cut: turns.filter((turn) => this.#heard.get(turn)?.cut !== ''),
    };
  }

  /** The gap before each session except the first. */
  get silences(): readonly Silence[] {
    const live = this.watch.live.filter(({ appends }) => appends.length > 0);
    return live.slice(1).map(({ askedAt, createdAt, appends }, index) => {
      const last = live[index]?.appends.at(-1);
      const first = appends[0];
      // An append is sent when its chunk is full, so a chunk's length is not silence.
      const chunkMs = (first?.samples ?? 0) / 16;
      const silenceMs = (first?.at ?? 0) - (last?.at ?? 0) - chunkMs;
      return { at: createdAt, silenceMs, serverMs: createdAt - askedAt };
    });
  }

  /** Spoken blocks, those that the servers or the transcription did not receive in full, and samples out of order. */
  uplink(): { readonly said: number; readonly missing: number; readonly disorder: number } {
    const { sessions } = this.watch;
    const received = (mark: number): number =>
      sessions.reduce((sum, { marks }) => sum + (marks.samplesByMark.get(mark) ?? 0), 0);
    const said = Array.from({ length: this.#said }, (_, index) => index + 1);
    const missing = said.filter(
      (mark) => received(mark) < blockSamples || !this.#passedOn.has(mark),
    );
    const disorder = sessions.reduce((sum, { marks }) => sum + marks.disorder, 0);
    return { said: this.#said, missing: missing.length, disorder };
  }

  #mark(): number {
    this.#said += 1;
    return markedLoudness(this.#said);
  }

  #pass(ms: number): void {
    for (let passed = 0; passed < ms; passed += blockMs) this.#block(0);
  }

  #block(loudness: number): void {
    this.harness.pass(blockMs, loudness);
    this.#hear();
  }

  /** Drops handled events, because an hour of them needs much memory. */
  #hear(): void {
    const now = this.harness.clock.now();
    for (const event of this.harness.emitted.splice(0)) {
      if (event.event === 'handedOver') this.#handedOver.push(now);
      else if (event.event === 'audio') this.#answers += 1;
      else if (event.event === 'talk') this.phases.push(event.state.phase);
      else if (event.event === 'turnHeard') this.#heard.set(event.turn, event);
      else if (event.event === 'text')
        this.#received.set(event.turn, (this.#received.get(event.turn) ?? '') + event.text);
    }
  }
}

export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
