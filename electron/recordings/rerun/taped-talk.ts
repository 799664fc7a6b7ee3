import { type Clock, repeatEvery } from '../../../shared/ports/clock.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import type { ServerCodec } from '../../../shared/protocol/server-codec.ts';
import type { TapeEvent } from '../../../shared/recordings/tape-event.ts';
import { VoiceDetector } from '../../audio/detection/voice-detector.ts';
import { VoiceModel } from '../../audio/detection/voice-model.ts';
import { LastAnswer } from '../../talk/answer-watch.ts';
import type { ConversationEvent } from '../../talk/conversation-event.ts';
import type { RecordTalk } from '../../talk/conversation-options.ts';
import type { Conversation } from '../../talk/conversation.ts';
import {
  beginningOf,
  createReplayClient,
  eventsOf,
  firstSoundOf,
  isOurs,
} from '../replay/tape-lines.ts';
import type { Tape } from '../tape/tape.ts';

interface Deps {
  readonly clock: Clock;
  readonly codec: Pick<ServerCodec, 'decodeClientEvent'>;
  /** Where a new tape is made of it. */
  readonly write?: RecordTalk['write'] | undefined;
  /** So much of the tape has been done again, once a second. */
  readonly progress?: ((doneMs: number, ofMs: number) => void) | undefined;
}

/** As a microphone's blocks come. */
const blockMs = 20;
const progressMs = 1000;

/**
 * The person of a tape in a talk with another server: says, shows and does all of it again, each at its time from the moment
 * on at which the talk is live; waits for the answer to what was said last, and ends it.
 */
export class TapedTalk {
  readonly #tape: Tape;
  readonly #deps: Deps;
  readonly #showsControls: boolean;
  readonly #voice = new VoiceDetector(inputRate);
  readonly #model = new VoiceModel();
  #talk: Conversation | undefined;
  #end: RerunEnd | undefined;
  #stop: (() => void) | undefined;
  #over = false;

  constructor(tape: Tape, deps: Deps) {
    this.#tape = tape;
    this.#deps = deps;
    this.#showsControls = tape.lines.some(
      (line) => line.dir === 'event' && line.event['kind'] === 'controls',
    );
  }

  readonly begun = (talk: Conversation): void => {
    this.#talk = talk;
  };

  readonly hear = (event: ConversationEvent): void => {
    if (event.event === 'state' && event.state === 'live') this.#begin();
    if (event.event === 'talk' && event.state.phase === 'ended') this.#finish();
    this.#end?.hear(event);
  };

  /** For the new tape: controls are those of the old one, for the sound has been through its gate already. */
  readonly write: RecordTalk['write'] = (event) => {
    if (event.kind !== 'controls' || !this.#showsControls) this.#deps.write?.(event);
  };

  /** With the first session. */
  #begin(): void {
    if (this.#stop !== undefined || this.#over) return;
    const { clock, codec, progress } = this.#deps;
    const start = clock.now();
    const input = new TapedInput(this.#tape, codec, {
      pushAudio: (block) => this.#talk?.pushAudio(block),
      pushFrame: (picture) => this.#talk?.pushFrame(picture),
      setMaxSlices: (slices) => this.#talk?.setMaxSlices(slices),
      interrupt: () => this.#talk?.interrupt(),
      setPaused: (paused) => this.#talk?.setPaused(paused),
      showControls: (controls) => this.#deps.write?.(controls),
    });
    const end = new RerunEnd(input.lengthMs);
    this.#end = end;
    let told = 0;
    progress?.(0, input.lengthMs);
    this.#stop = repeatEvery(clock, blockMs, () => {
      const at = clock.now() - start;
      const said = input.advanceTo(at);
      this.#model.push(said);
      this.#voice.push(said, this.#model.likelihood);
      if (this.#voice.isSpeaking) end.spoke(at);
      if (at - told >= progressMs) {
        told = at;
        progress?.(Math.min(at, input.lengthMs), input.lengthMs);
      }
      if (!end.reached(at, this.#talk?.sounding() === false)) return undefined;
      this.#finish();
      this.#talk?.end();
      return 'done';
    });
  }

  #finish(): void {
    this.#over = true;
    this.#stop?.();
  }
}

/** Behind the end of the tape nobody listens to a server that never comes to its end. */
const maxTailMs = 60_000;

/** Decides when a tape that is done again is over: everything said, everything answered, everything heard. */
export class RerunEnd {
  readonly #inputMs: number;
  readonly #answer = new LastAnswer(true);
  #spokeAt = 0;
  #quietSince = 0;

  constructor(inputMs: number) {
    this.#inputMs = inputMs;
  }

  hear(event: ConversationEvent): void {
    this.#answer.hear(event);
  }

  /** The person speaks: an answer that has come before is none to that. */
  spoke(at: number): void {
    this.#spokeAt = at;
    this.#answer.asked();
  }

  /** `at` counts from the first sound; `drained` when all that came has been heard. */
  reached(at: number, drained: boolean): boolean {
    if (this.#answer.open || !drained) this.#quietSince = at;
    if (at < this.#inputMs) return false;
    if (at > this.#inputMs + maxTailMs) return true;
    return at - Math.max(this.#quietSince, this.#spokeAt) >= this.#answer.patienceMs;
  }
}

type Codec = Pick<ServerCodec, 'decodeClientEvent'>;
type Controls = Extract<TapeEvent, { kind: 'controls' }>;

/** Whom the person of a tape does it to again. */
export interface TapedInputTarget extends Pick<
  Conversation,
  'pushAudio' | 'pushFrame' | 'setMaxSlices' | 'interrupt' | 'setPaused'
> {
  /** Talk key, mute and the like, whose effect the sound has already. */
  readonly showControls: (controls: Controls) => void;
}

interface Deed {
  readonly at: number;
  readonly run: () => void;
}

/** A picture goes with the chunk that follows it: it has to be there before that is full. */
const pictureLeadMs = 40;

/** What the person of a tape said, showed and did, done again from the moment on at which a session was there to hear it. */
class TapedInput {
  /** From the first sound to the last that was sent. */
  readonly lengthMs: number;
  readonly #tape: Tape;
  readonly #target: TapedInputTarget;
  readonly #zero: number;
  readonly #events: ReadonlyMap<number, TapeEvent | undefined>;
  readonly #lookAheadMs: number;
  readonly #sound = new TapedSound();
  readonly #playOurs: ReturnType<typeof createReplayClient>;
  #deeds: Deed[] = [];
  #next = 0;
  #paused = false;
  /** When the line went out that is being read. */
  #lineAt = 0;

  constructor(tape: Tape, codec: Codec, target: TapedInputTarget) {
    const zero = firstSoundOf(tape, codec) ?? 0;
    this.#tape = tape;
    this.#target = target;
    this.#zero = zero;
    this.lengthMs = Math.max(0, (tape.lines.findLast(isOurs)?.at ?? zero) - zero);
    const events = eventsOf(tape.lines);
    this.#events = new Map(events.map(({ index, event }) => [index, event]));
    const { chunkMs } = tape.header;
    this.#lookAheadMs = 2 * chunkMs + 1000;
    // What the person did stands beside the wire since tapes have a beginning; before, the wire alone tells of it.
    const told = beginningOf(events) !== undefined;
    this.#playOurs = createReplayClient(
      {
        pushAudio: (samples) => {
          this.#sound.put(this.#lineAt, samples);
        },
        pushFrame: (picture) => {
          this.#plan(this.#lineAt - pictureLeadMs, () => {
            target.pushFrame(picture);
          });
        },
        setMaxSlices: (slices) => {
          this.#plan(this.#lineAt - pictureLeadMs, () => {
            target.setMaxSlices(slices);
          });
        },
        interrupt: () => {
          if (!told) this.#plan(this.#lineAt, target.interrupt.bind(target));
        },
        ask: nothing,
        end: nothing,
      },
      codec,
      chunkMs,
    );
  }

  /** Goes on to so many milliseconds after the first sound. Behind its end there is silence. */
  advanceTo(at: number): Float32Array {
    this.#readUntil(at + this.#lookAheadMs);
    const due = this.#deeds.filter((deed) => deed.at <= at);
    this.#deeds = this.#deeds.filter((deed) => deed.at > at);
    for (const { run } of due.toSorted((one, other) => one.at - other.at)) run();
    const block = this.#sound.takeUntil(at);
    if (block.length > 0) this.#target.pushAudio(block);
    return block;
  }

  #readUntil(at: number): void {
    const { lines, frame } = this.#tape;
    for (; this.#next < lines.length; this.#next += 1) {
      const line = lines[this.#next];
      if (line === undefined || line.at - this.#zero > at) return;
      this.#lineAt = line.at - this.#zero;
      if (isOurs(line)) this.#playOurs(frame(line.frame));
      else if (line.dir === 'event') this.#follow(this.#events.get(this.#next));
    }
  }

  #follow(event: TapeEvent | undefined): void {
    if (event?.kind === 'interrupt') {
      this.#plan(this.#lineAt, this.#target.interrupt.bind(this.#target));
      return;
    }
    if (event?.kind !== 'controls') return;
    const { paused } = event.controls;
    const changes = paused !== this.#paused;
    this.#paused = paused;
    this.#plan(this.#lineAt, () => {
      if (changes) this.#target.setPaused(paused);
      this.#target.showControls(event);
    });
  }

  #plan(at: number, run: () => void): void {
    this.#deeds.push({ at, run });
  }
}

const nothing = (): void => undefined;

const perMs = inputRate / 1000;
/** Chunks whose places differ by less follow each other. */
const jitterSamples = inputRate / 10;

interface Piece {
  readonly from: number;
  readonly samples: Float32Array;
}

/** What went out of a microphone, put to where it was said, and taken from there as time goes on; silence where nothing was. */
export class TapedSound {
  #pieces: Piece[] = [];
  #end = 0;
  #taken = 0;

  /** A chunk that went out at this time was captured before. */
  put(sentAt: number, samples: Float32Array): void {
    const captured = Math.round(sentAt * perMs) - samples.length;
    const joins = captured - this.#end < jitterSamples;
    const from = Math.max(joins ? this.#end : captured, this.#taken);
    this.#pieces.push({ from, samples });
    this.#end = from + samples.length;
  }

  /** All up to then that has not been taken yet. */
  takeUntil(at: number): Float32Array {
    const until = Math.max(this.#taken, Math.round(at * perMs));
    const block = new Float32Array(until - this.#taken);
    for (const { from, samples } of this.#pieces) {
      const start = Math.max(from, this.#taken);
      const end = Math.min(from + samples.length, until);
      if (start < end) block.set(samples.subarray(start - from, end - from), start - this.#taken);
    }
    this.#taken = until;
    this.#pieces = this.#pieces.filter(({ from, samples }) => from + samples.length > until);
    return block;
  }
}
