import type { CoreMessages } from '../../../shared/i18n/messages.ts';
import type { DialectName, DuplexMode } from '../../../shared/protocol/realtime-api.ts';
import type { TapeBeginning, TapeEvent } from '../../../shared/recordings/tape-event.ts';
import { defaultBargeInOptions } from '../../audio/detection/barge-in.ts';
import {
  ClockedPlayback,
  type PlaybackOptions,
  TimelinePlayback,
} from '../../audio/playback/playback.ts';
import type { ConversationDeps } from '../../talk/conversation-options.ts';
import { Conversation } from '../../talk/conversation.ts';
import type { TapeHeader } from '../tape/tape.ts';
import { countUntil } from './rendered-tape.ts';

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

/** Opens a conversation without a microphone, whose answers are played at the times that the tape recorded. */
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

interface Deps {
  readonly track: PlayheadTrack;
  readonly now: () => number;
}

/** In samples; so little missing sound is a rounding error and gets no silence. */
const sampleTolerance = 4;

/** Plays what the speaker played during the recording, at the same times. */
class TapedPlayback extends TimelinePlayback {
  readonly #deps: Deps;
  readonly #turns: StartedTurn[] = [];
  readonly #slotSamples: number;
  /** Tape time at which the timeline begins, in milliseconds. */
  #startedAt: number | undefined;
  #sounding = false;

  constructor(options: PlaybackOptions, deps: Deps) {
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
/** The playhead is recorded every 100 ms and not exactly then; a smaller deviation is no pause. */
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
