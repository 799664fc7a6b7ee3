import type { CoreMessages } from '../../../shared/i18n/messages.ts';
import {
  type DialectName,
  type DuplexMode,
  inputRate,
  outputRate,
} from '../../../shared/protocol/realtime-api.ts';
import type { TapeBeginning, TapeEvent } from '../../../shared/recordings/tape-event.ts';
import { defaultBargeInOptions } from '../../audio/detection/barge-in.ts';
import {
  ClockedPlayback,
  type PlaybackOptions,
  TimelinePlayback,
} from '../../audio/playback/playback.ts';
import type { ConversationDeps } from '../../talk/conversation-options.ts';
import { Conversation } from '../../talk/conversation.ts';
import type { Tape, TapeHeader } from '../tape/tape.ts';
import { countUntil, type RenderedTape } from './rendered-tape.ts';
import { appError } from '../../../shared/errors/app-error.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import { SincResampler } from '../../audio/dsp/sinc-resampler.ts';
import type { TalkPublisher } from '../../talk/talk-reporter.ts';
import type { TimelineBuilder } from './timeline-builder.ts';
import type { Replay } from './replay-tape.ts';
import { type EventLine, isInterruptOnWire, type ReplayTarget } from './tape-lines.ts';

interface ConversationParts extends Pick<
  ConversationDeps,
  'clock' | 'random' | 'openSession' | 'onPlayed' | 'onCue' | 'emit'
> {
  readonly dialect: 'auto' | DialectName;
  /** Missing on tapes older than the `began` event. */
  readonly began: TapeBeginning | undefined;
  readonly track: PlayheadTrack;
  readonly carryOver: CoreMessages['carryOver'];
  readonly onHeard: (turn: number) => void;
}

/** Opens a conversation without a microphone, whose answers are played at the times of the tape's `heard` events, or by the clock without these. */
export function openReplayConversation(
  { settings, chunkMs }: TapeHeader,
  mode: DuplexMode,
  { dialect, began, track, carryOver, onHeard, ...deps }: ConversationParts,
): Conversation {
  const audible = began === undefined || began.speaker !== undefined;
  return new Conversation(
    {
      mode,
      settings,
      chunkMs,
      dialect,
      // The tape has the sound that the gate passed, so nothing is gated again.
      talking: 'open',
      yielding: began?.yielding,
      reconnects: began?.reconnects,
      handsOver: began?.handsOver,
      sessionSeconds: began?.sessionSeconds,
      bargeIn: { ...defaultBargeInOptions, enabled: false },
      carryOver,
    },
    {
      ...deps,
      speaker: undefined,
      microphone: undefined,
      wallNow: undefined,
      log: noLog,
      tape: {
        plays: true,
        write: (event) => {
          if (event.kind === 'heard') onHeard(event.turn);
        },
        playback: audible
          ? (options) =>
              track.isEmpty
                ? new ClockedPlayback(options)
                : new TapedPlayback(options, { track, now: deps.clock.now })
          : undefined,
      },
    },
  );
}

const noLog = { write: (): void => undefined };

interface StartedTurn {
  readonly turn: number;
  readonly from: number;
}

interface PlaybackDeps {
  readonly track: PlayheadTrack;
  readonly now: () => number;
}

/** Up to this many missing samples are a rounding error and get no silence. */
const sampleTolerance = 4;

/** Plays what the speaker played during the recording, at the same times. */
class TapedPlayback extends TimelinePlayback {
  readonly #deps: PlaybackDeps;
  readonly #turns: StartedTurn[] = [];
  readonly #slotSamples: number;
  /** Tape time at which the timeline begins, in milliseconds. */
  #startedAt: number | undefined;
  #sounding = false;

  constructor(options: PlaybackOptions, deps: PlaybackDeps) {
    super(options);
    this.#deps = deps;
    this.#slotSamples = options.rate / 1000;
  }

  override write(samples: Float32Array, turn: number): void {
    if (this.#turns.at(-1)?.turn !== turn)
      this.#turns.push({ turn, from: this.playhead + this.queued });
    super.write(samples, turn);
  }

  /** Keeps what was still heard after the flush: the fade, and samples already in the device. */
  override flush(): number {
    const begun = this.#newestHeard(this.#deps.now() + 1);
    const until =
      begun === undefined ? 0 : begun.from + this.#deps.track.totalSamplesHeard(begun.turn);
    const kept = Math.min(this.queued, Math.max(0, until - this.playhead));
    this.buffer.send(kept);
    this.buffer.playedTo(this.buffer.heard + kept);
    return this.buffer.cut().answer;
  }

  override advanceTo(milliseconds: number): void {
    this.#startedAt ??= this.#deps.now() - milliseconds;
    const target = this.targetAt(milliseconds);
    while (this.position < target) {
      if (this.queued === 0) this.passSilence(target - this.position);
      else this.#advanceSlot(Math.min(this.#slotSamples, target - this.position));
    }
  }

  #advanceSlot(length: number): void {
    const at = (this.#startedAt ?? 0) + ((this.position + length) * 1000) / this.options.rate;
    const begun = this.#newestHeard(at);
    const heard =
      begun === undefined ? 0 : begun.from + this.#deps.track.samplesHeard(begun.turn, at);
    const remaining = heard - this.playhead;
    const sound = Math.min(
      this.queued,
      remaining >= length - sampleTolerance ? length : Math.max(0, remaining),
    );
    const before = this.#sounding ? 0 : length - sound;
    this.passSilence(before);
    this.passSound(sound);
    this.passSilence(length - sound - before);
    this.#sounding = sound > 0;
  }

  #newestHeard(at: number): StartedTurn | undefined {
    const index = this.#turns.findLastIndex(
      ({ turn }) => this.#deps.track.samplesHeard(turn, at) > 0,
    );
    if (index > 0) this.#turns.splice(0, index);
    return this.#turns[Math.min(index, 0)];
  }
}

/** Sound of a turn that was heard without a pause, from sample `from` to sample `to`. */
interface UnbrokenRun {
  readonly at: number;
  readonly from: number;
  to: number;
}

const samplesPerMs = 24;
/** The playhead is recorded about every 100 ms. If it deviates by less than this, the turn was heard without a pause. */
const toleranceSamples = 80 * samplesPerMs;

/** Which part of each turn was heard when, from the tape's `heard` events. */
export class PlayheadTrack {
  readonly #turns = new Map<number, UnbrokenRun[]>();

  constructor(events: readonly { readonly at: number; readonly event: TapeEvent | undefined }[]) {
    for (const { at, event } of events)
      if (event?.kind === 'heard') this.#add(event.turn, at, event.samples);
  }

  get isEmpty(): boolean {
    return this.#turns.size === 0;
  }

  /** Samples of the turn heard up to this time. */
  samplesHeard(turn: number, at: number): number {
    const runs = this.#turns.get(turn) ?? [];
    const run = runs[countUntil(runs, at) - 1];
    return run === undefined
      ? 0
      : Math.min(run.to, run.from + Math.round((at - run.at) * samplesPerMs));
  }

  totalSamplesHeard(turn: number): number {
    return this.#turns.get(turn)?.at(-1)?.to ?? 0;
  }

  #add(turn: number, at: number, samples: number): void {
    const runs = this.#turns.get(turn) ?? [];
    this.#turns.set(turn, runs);
    const last = runs.at(-1);
    const from = last?.to ?? 0;
    if (samples <= from) return;
    const expected = last === undefined ? NaN : last.from + (at - last.at) * samplesPerMs;
    if (last !== undefined && Math.abs(expected - samples) < toleranceSamples) last.to = samples;
    else runs.push({ at: at - (samples - from) / samplesPerMs, from, to: samples });
  }
}

interface TapedUserDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly marks: TimelineBuilder;
  readonly publisher: TalkPublisher;
  readonly microphone: TapedMicrophone;
  readonly replay: Pick<Replay, 'playedLines'>;
  /** Returns the conversation that plays the tape. Called only after it was created, while the tape plays. */
  readonly conversation: () => Conversation;
}

/** Repeats on a replayed conversation what the user did in the recorded talk. */
export class TapedUser {
  readonly #tape: Tape;
  readonly #eventAt: ReadonlyMap<number, TapeEvent | undefined>;
  readonly #deps: TapedUserDeps;
  lastPictureLine = -1;
  #paused = false;
  readonly #handsOver: boolean;

  readonly target: ReplayTarget = {
    pushAudio: (block: Float32Array): void => {
      this.#deps.microphone.addChunk(this.#deps.clock.now(), block);
      this.#deps.conversation().pushAudio(block);
    },
    pushFrame: (frame: Uint8Array): void => {
      this.lastPictureLine = this.#deps.replay.playedLines() - 1;
      this.#deps.conversation().pushFrame(frame);
    },
    setMaxSlices: (slices: number): void => this.#deps.conversation().setMaxSlices(slices),
    // Written conversations cannot be replayed.
    ask: (): void => undefined,
    interrupt: (): void => this.#interrupt(),
    end: (): void => {
      // With hand-overs, a closed session is not the end of the talk.
      if (!this.#handsOver) this.#deps.conversation().end();
    },
  };

  constructor(tape: Tape, events: readonly EventLine[], deps: TapedUserDeps) {
    this.#tape = tape;
    this.#eventAt = new Map(events.map(({ index, event }) => [index, event]));
    this.#deps = deps;
    this.#handsOver = events.some(({ event }) => event?.kind === 'handOver');
  }

  /** Applies the `event` line that the replay has reached. */
  followEvent(): void {
    const index = this.#deps.replay.playedLines() - 1;
    const event = this.#eventAt.get(index);
    if (event !== undefined) this.#follow(event, index);
  }

  #follow(event: TapeEvent, index: number): void {
    const talk = this.#deps.conversation();
    if (event.kind === 'controls') {
      if (event.controls.paused !== this.#paused) talk.setPaused(event.controls.paused);
      this.#paused = event.controls.paused;
      this.#deps.publisher.publish({ event: 'controls', controls: event.controls });
    } else if (event.kind === 'floor')
      this.#deps.publisher.publish({ event: 'floor', floor: event.floor });
    else if (event.kind === 'devices') {
      this.#deps.marks.followDevices(this.#deps.clock.now(), event.devices);
      this.#deps.publisher.publish({ event: 'devices', devices: event.devices });
    } else if (event.kind === 'computerSound')
      talk.onComputerSound({ kind: event.on ? 'on' : 'off' });
    else if (event.kind === 'interrupt') {
      // An interrupt that reached the server is also a wire line of the tape, and `target` repeats that line.
      if (!isInterruptOnWire(this.#tape.lines, index)) this.#interrupt();
    } else if (event.kind === 'bargeIn') talk.onBargeIn(event.does);
    else if (event.kind === 'handOver') talk.handOver(event.step);
    else if (event.kind === 'gap')
      this.#deps.marks.addTrouble(this.#deps.clock.now(), appError('tapeGap'));
    else if (event.kind === 'end') talk.end();
    else if (event.kind === 'continue') talk.continueTalk(event.carry);
    else if (event.kind === 'networkBack') talk.onNetworkBack();
    else if (event.kind === 'lostInSleep') talk.onSystemWake();
  }

  #interrupt(): void {
    this.#deps.marks.addInterruption(this.#deps.clock.now());
    this.#deps.conversation().interrupt();
  }
}

/** Chunks with a smaller gap are contiguous. */
const jitterSamples = inputRate / 10;

/** Places the user's sound at its capture time, which ended when the chunk was sent. */
export class TapedMicrophone {
  readonly #rendered: Pick<RenderedTape, 'microphone' | 'yourLevels'>;
  readonly #resampler = new SincResampler(inputRate, outputRate);
  #end = 0;
  /** Next write position, in resampled samples. */
  #position = 0;

  constructor(rendered: Pick<RenderedTape, 'microphone' | 'yourLevels'>) {
    this.#rendered = rendered;
  }

  addChunk(now: number, chunk: Float32Array): void {
    const captured = Math.max(0, Math.round((now * inputRate) / 1000) - chunk.length);
    const isContiguous = Math.abs(captured - this.#end) < jitterSamples;
    const at = isContiguous ? this.#end : Math.max(captured, this.#end);
    if (!isContiguous) {
      this.#resampler.restart();
      this.#position = Math.round((at * outputRate) / inputRate);
    }
    const sound = this.#resampler.convert(chunk);
    this.#rendered.microphone.put(this.#position, sound);
    this.#position += sound.length;
    this.#rendered.yourLevels.put(at, chunk);
    this.#end = at + chunk.length;
  }
}
