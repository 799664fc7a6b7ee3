import { type Clock, repeatEvery } from '../../../shared/ports/clock.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import type { TapeEvent } from '../../../shared/recordings/tape-event.ts';
import { VoiceDetector } from '../../audio/detection/voice-detector.ts';
import { VoiceModel } from '../../audio/detection/voice-model.ts';
import { LastAnswer } from '../../talk/last-answer.ts';
import type { ConversationEvent, RecordTalk } from '../../talk/conversation-options.ts';
import type { Conversation } from '../../talk/conversation.ts';
import {
  type ClientEventDecoder,
  createReplayClient,
  findBeginning,
  findFirstSoundAt,
  isClientFrame,
  listEvents,
} from '../replay/tape-lines.ts';
import type { Tape } from '../tape/tape.ts';

interface Deps {
  readonly clock: Clock;
  readonly codec: ClientEventDecoder;
  readonly write?: RecordTalk['write'] | undefined;
  readonly onProgress?: ((doneMs: number, ofMs: number) => void) | undefined;
}

const blockMs = 20;
const progressEveryMs = 1000;

/**
 * Plays the user of a tape in a live talk: repeats their sound, pictures and actions at their
 * times, waits for the last answer, and ends the talk.
 */
export class RerunDriver {
  readonly #tape: Tape;
  readonly #deps: Deps;
  readonly #tapeHasControls: boolean;
  readonly #voice = new VoiceDetector(inputRate);
  readonly #model = new VoiceModel();
  #talk: Conversation | undefined;
  #end: RerunEndDetector | undefined;
  #stop: (() => void) | undefined;
  #over = false;

  constructor(tape: Tape, deps: Deps) {
    this.#tape = tape;
    this.#deps = deps;
    this.#tapeHasControls = tape.lines.some(
      (line) => line.dir === 'event' && line.event['kind'] === 'controls',
    );
  }

  readonly begun = (talk: Conversation): void => {
    this.#talk = talk;
  };

  readonly handleEvent = (event: ConversationEvent): void => {
    if (event.event === 'state' && event.state === 'live') this.#begin();
    if (event.event === 'talk' && event.state.phase === 'ended') this.#finish();
    this.#end?.onEvent(event);
  };

  /**
   * Leaves out the new talk's controls if the tape has its own: `recordControls` records those, because the taped sound
   * already has their effect.
   */
  readonly write: RecordTalk['write'] = (event) => {
    if (event.kind !== 'controls' || !this.#tapeHasControls) this.#deps.write?.(event);
  };

  #begin(): void {
    if (this.#stop !== undefined || this.#over) return;
    const { clock, codec, onProgress } = this.#deps;
    const start = clock.now();
    const input = new TapedInput(this.#tape, codec, {
      pushAudio: (block) => this.#talk?.pushAudio(block),
      pushFrame: (picture) => this.#talk?.pushFrame(picture),
      setMaxSlices: (slices) => this.#talk?.setMaxSlices(slices),
      interrupt: () => this.#talk?.interrupt(),
      setPaused: (paused) => this.#talk?.setPaused(paused),
      recordControls: (controls) => this.#deps.write?.(controls),
    });
    const end = new RerunEndDetector(input.lengthMs);
    this.#end = end;
    let reportedAt = 0;
    onProgress?.(0, input.lengthMs);
    this.#stop = repeatEvery(clock, blockMs, () => {
      const at = clock.now() - start;
      const speech = input.advanceTo(at);
      this.#model.push(speech);
      this.#voice.push(speech, this.#model.likelihood);
      if (this.#voice.isSpeaking) end.noteSpeech(at);
      if (at - reportedAt >= progressEveryMs) {
        reportedAt = at;
        onProgress?.(Math.min(at, input.lengthMs), input.lengthMs);
      }
      if (!end.isOver(at, this.#talk?.isSounding() === false)) return undefined;
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

/** Longest wait for an answer after the tape's input is over. */
const maxTailMs = 60_000;

/** Decides when a rerun is over: all input sent, the last question answered, the answer heard. */
export class RerunEndDetector {
  readonly #inputMs: number;
  readonly #answer = new LastAnswer(true);
  #spokeAt = 0;
  #quietSince = 0;

  constructor(inputMs: number) {
    this.#inputMs = inputMs;
  }

  onEvent(event: ConversationEvent): void {
    this.#answer.onEvent(event);
  }

  /** The user speaks, so earlier answers do not count as the last one. */
  noteSpeech(at: number): void {
    this.#spokeAt = at;
    this.#answer.onQuestion();
  }

  /** `at`: milliseconds since the first sound. `drained`: all received sound has been heard. */
  isOver(at: number, drained: boolean): boolean {
    if (this.#answer.isOpen || !drained) this.#quietSince = at;
    if (at < this.#inputMs) return false;
    if (at > this.#inputMs + maxTailMs) return true;
    return at - Math.max(this.#quietSince, this.#spokeAt) >= this.#answer.requiredQuietMs;
  }
}

type Controls = Extract<TapeEvent, { kind: 'controls' }>;

/** The parts of a conversation that the user of the tape controls. */
export interface TapedInputTarget extends Pick<
  Conversation,
  'pushAudio' | 'pushFrame' | 'setMaxSlices' | 'interrupt' | 'setPaused'
> {
  /** Records the state of talk key, mute and so on, without applying it: the sound already has its effect. */
  readonly recordControls: (controls: Controls) => void;
}

interface ScheduledAction {
  readonly at: number;
  readonly run: () => void;
}

/** A picture is sent with the next chunk, so it must arrive before that chunk is full. */
const pictureLeadMs = 40;

/** Repeats what the user said, showed and did, counted from the first sound. */
class TapedInput {
  /** From the first sound to the last client frame. */
  readonly lengthMs: number;
  readonly #tape: Tape;
  readonly #target: TapedInputTarget;
  readonly #zero: number;
  readonly #events: ReadonlyMap<number, TapeEvent | undefined>;
  readonly #lookAheadMs: number;
  readonly #sound = new CaptureTimeline();
  readonly #playClientFrames: ReturnType<typeof createReplayClient>;
  #actions: ScheduledAction[] = [];
  #next = 0;
  #paused = false;
  #lineAt = 0;

  constructor(tape: Tape, codec: ClientEventDecoder, target: TapedInputTarget) {
    const zero = findFirstSoundAt(tape, codec) ?? 0;
    this.#tape = tape;
    this.#target = target;
    this.#zero = zero;
    this.lengthMs = Math.max(0, (tape.lines.findLast(isClientFrame)?.at ?? zero) - zero);
    const events = listEvents(tape.lines);
    this.#events = new Map(events.map(({ index, event }) => [index, event]));
    const { chunkMs } = tape.header;
    this.#lookAheadMs = 2 * chunkMs + 1000;
    // Tapes with a `began` event record user actions as events; older ones only on the wire.
    const hasEvents = findBeginning(events) !== undefined;
    this.#playClientFrames = createReplayClient(
      {
        pushAudio: (samples) => this.#sound.add(this.#lineAt, samples),
        pushFrame: (picture) => {
          this.#plan(this.#lineAt - pictureLeadMs, () => target.pushFrame(picture));
        },
        setMaxSlices: (slices) => {
          this.#plan(this.#lineAt - pictureLeadMs, () => target.setMaxSlices(slices));
        },
        interrupt: () => {
          if (!hasEvents) this.#plan(this.#lineAt, target.interrupt.bind(target));
        },
        ask: () => undefined,
        end: () => undefined,
      },
      codec,
      chunkMs,
    );
  }

  /** Advances to this many milliseconds after the first sound. After the last sound it returns silence. */
  advanceTo(at: number): Float32Array {
    this.#readUntil(at + this.#lookAheadMs);
    const due = this.#actions.filter((action) => action.at <= at);
    this.#actions = this.#actions.filter((action) => action.at > at);
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
      if (isClientFrame(line)) this.#playClientFrames(frame(line.frame));
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
      this.#target.recordControls(event);
    });
  }

  #plan(at: number, run: () => void): void {
    this.#actions.push({ at, run });
  }
}

const samplesPerMs = inputRate / 1000;
/** Chunks with a smaller gap are contiguous. */
const jitterSamples = inputRate / 10;

interface Piece {
  readonly from: number;
  readonly samples: Float32Array;
}

/** Sent chunks at their capture times, read back as continuous sound with silence in the gaps. */
export class CaptureTimeline {
  #pieces: Piece[] = [];
  #end = 0;
  #read = 0;

  /** Adds a chunk at the time of its capture, which ended when the chunk was sent. */
  add(sentAt: number, samples: Float32Array): void {
    const captured = Math.round(sentAt * samplesPerMs) - samples.length;
    const isContiguous = captured - this.#end < jitterSamples;
    const from = Math.max(isContiguous ? this.#end : captured, this.#read);
    this.#pieces.push({ from, samples });
    this.#end = from + samples.length;
  }

  /** Returns the sound up to this time that has not been taken yet. */
  takeUntil(at: number): Float32Array {
    const until = Math.max(this.#read, Math.round(at * samplesPerMs));
    const block = new Float32Array(until - this.#read);
    for (const { from, samples } of this.#pieces) {
      const start = Math.max(from, this.#read);
      const end = Math.min(from + samples.length, until);
      if (start < end) block.set(samples.subarray(start - from, end - from), start - this.#read);
    }
    this.#read = until;
    this.#pieces = this.#pieces.filter(({ from, samples }) => from + samples.length > until);
    return block;
  }
}
