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

interface Parts extends Pick<
  ConversationDeps,
  'clock' | 'random' | 'openSession' | 'played' | 'cue' | 'emit'
> {
  readonly dialect: 'auto' | DialectName;
  /** Nothing on tapes that were made before it was written down. */
  readonly began: TapeBeginning | undefined;
  readonly track: PlayheadTrack;
  readonly carryOver: CoreMessages['carryOver'];
  readonly heard: (turn: number) => void;
}

/** The conversation of a talk, with its tape for speaker and microphone. */
export function openReplayConversation(
  { settings, chunkMs }: TapeHeader,
  mode: DuplexMode,
  { dialect, began, track, carryOver, heard, ...deps }: Parts,
): Conversation {
  const audible = began === undefined || began.speaker !== undefined;
  return new Conversation(
    {
      mode,
      settings,
      chunkMs,
      dialect,
      // What was let through stands on the tape: nothing is gated again.
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
          if (event.kind === 'heard') heard(event.turn);
        },
        playback: audible
          ? (options) =>
              track.empty
                ? new ClockedPlayback(options)
                : new TapedPlayback(options, { track, now: deps.clock.now })
          : undefined,
      },
    },
  );
}

const noLog = { write: (): void => undefined };

interface BegunTurn {
  readonly turn: number;
  /** Where it begins, in samples of the whole answer. */
  readonly from: number;
}

interface Deps {
  readonly track: PlayheadTrack;
  /** Milliseconds since the tape began. */
  readonly now: () => number;
}

/** A run may be this much ahead, so that no single sample of silence falls into it. */
const leadSamples = 4;

/** The speaker as it was when the tape was recorded: what was heard then is heard again, when it was. */
class TapedPlayback extends TimelinePlayback {
  readonly #deps: Deps;
  readonly #turns: BegunTurn[] = [];
  readonly #slot: number;
  /** When the time line begins. */
  #zero: number | undefined;
  #sounding = false;

  constructor(options: PlaybackOptions, deps: Deps) {
    super(options);
    this.#deps = deps;
    this.#slot = options.rate / 1000;
  }

  override write(samples: Float32Array, turn: number): void {
    if (this.#turns.at(-1)?.turn !== turn)
      this.#turns.push({ turn, from: this.playhead + this.queued });
    super.write(samples, turn);
  }

  /** What was heard after the flush all the same, in the fade and on its way out, is kept. */
  override flush(): number {
    const begun = this.#newestHeard(this.#deps.now() + 1);
    const until = begun === undefined ? 0 : begun.from + this.#deps.track.reachOf(begun.turn);
    const kept = Math.min(this.queued, Math.max(0, until - this.playhead));
    this.buffer.send(kept);
    this.buffer.playedTo(this.buffer.heard + kept);
    return this.buffer.cut().answer;
  }

  override advanceTo(milliseconds: number): void {
    this.#zero ??= this.#deps.now() - milliseconds;
    const target = this.targetAt(milliseconds);
    while (this.position < target) {
      if (this.queued === 0) this.silence(target - this.position);
      else this.#advanceSlot(Math.min(this.#slot, target - this.position));
    }
  }

  #advanceSlot(length: number): void {
    const at = (this.#zero ?? 0) + ((this.position + length) * 1000) / this.options.rate;
    const begun = this.#newestHeard(at);
    const heard = begun === undefined ? 0 : begun.from + this.#deps.track.heardOf(begun.turn, at);
    const wanted = heard - this.playhead;
    const sound = Math.min(
      this.queued,
      wanted >= length - leadSamples ? length : Math.max(0, wanted),
    );
    const before = this.#sounding ? 0 : length - sound;
    this.silence(before);
    this.sound(sound);
    this.silence(length - sound - before);
    this.#sounding = sound > 0;
  }

  #newestHeard(at: number): BegunTurn | undefined {
    const index = this.#turns.findLastIndex(({ turn }) => this.#deps.track.heardOf(turn, at) > 0);
    if (index > 0) this.#turns.splice(0, index);
    return this.#turns[Math.min(index, 0)];
  }
}

/** A stretch of a turn that sounded without a pause. */
interface HeardRun {
  readonly at: number;
  /** Samples of the turn that had been heard before. */
  readonly from: number;
  to: number;
}

const perMs = 24;
/** A playhead is looked at now and then; what it is off by less than this is no pause in the sound. */
const toleranceSamples = 80 * perMs;

/** When which part of each turn was heard, as the tape has it. */
export class PlayheadTrack {
  readonly #turns = new Map<number, HeardRun[]>();

  constructor(events: readonly { readonly at: number; readonly event: TapeEvent | undefined }[]) {
    for (const { at, event } of events)
      if (event?.kind === 'heard') this.#add(event.turn, at, event.samples);
  }

  get empty(): boolean {
    return this.#turns.size === 0;
  }

  /** Samples of the turn that had been heard by then. */
  heardOf(turn: number, at: number): number {
    const runs = this.#turns.get(turn) ?? [];
    const run = runs[countUntil(runs, at) - 1];
    return run === undefined ? 0 : Math.min(run.to, run.from + Math.round((at - run.at) * perMs));
  }

  /** Samples of the turn that were heard at all. */
  reachOf(turn: number): number {
    return this.#turns.get(turn)?.at(-1)?.to ?? 0;
  }

  #add(turn: number, at: number, samples: number): void {
    const runs = this.#turns.get(turn) ?? [];
    this.#turns.set(turn, runs);
    const last = runs.at(-1);
    const from = last?.to ?? 0;
    if (samples <= from) return;
    const expected = last === undefined ? NaN : last.from + (at - last.at) * perMs;
    if (last !== undefined && Math.abs(expected - samples) < toleranceSamples) last.to = samples;
    else runs.push({ at: at - (samples - from) / perMs, from, to: samples });
  }
}
