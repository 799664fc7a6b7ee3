import { type Clock, repeatEvery } from '../../../shared/ports/clock.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import type { ServerCodec } from '../../../shared/protocol/server-codec.ts';
import { VoiceDetector } from '../../audio/detection/voice-detector.ts';
import { VoiceModel } from '../../audio/detection/voice-model.ts';
import { LastAnswer } from '../../talk/answer-watch.ts';
import type { ConversationEvent } from '../../talk/conversation-event.ts';
import type { RecordTalk } from '../../talk/conversation-options.ts';
import type { Conversation } from '../../talk/conversation.ts';
import type { Tape } from '../tape/tape.ts';
import { TapedInput } from './taped-input.ts';

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
      if (this.#voice.speaks) end.spoke(at);
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
