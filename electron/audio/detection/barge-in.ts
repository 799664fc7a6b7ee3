import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import { levelDb } from '../dsp/loudness.ts';

/** How barge-in treats sound that the user makes during an answer. */
export interface BargeInOptions {
  readonly enabled: boolean;
  /**
   * A sound up to this long is back-channel ("mm-hmm"): it only ducks the answer. A longer one takes the floor.
   */
  readonly shortMs: number;
  /** Required level above the noise floor: raise it for a noisy room, lower it for a quiet voice. */
  readonly aboveNoiseDb: number;
}

export const defaultBargeInOptions: BargeInOptions = {
  enabled: true,
  shortMs: 600,
  aboveNoiseDb: 12,
};

/** Every `duck` is followed by one `restore`, with at most one `takesFloor` in between. */
export type BargeInEvent = 'duck' | 'restore' | 'takesFloor';

/** A shorter sound is a knock, without a voice likelihood. */
const knockMs = 60;
/** The same limit with a voice likelihood, which itself takes a moment to rise. */
const knownKnockMs = 40;
/** Residual echo after a gap in playback lasts up to this long. */
const echoKnockMs = 200;
/** Below this likelihood a sound is a key, a cough or a door. */
const leastLikely = 0.2;
/** Minimum likelihood of a voice while echo is being cancelled. */
const likely = 0.5;
/** Minimum likelihood of a voice while the canceller hears near-end sound. */
const likelyBeside = 0.35;
/** Required level above the noise floor where the likelihood decides. */
const aboveRoomDb = 6;
/**
 * Near-end sound for this long ducks the answer by itself, because little speech is left before the canceller
 * has learned the room.
 */
const knownMs = 100;
/** Likelihood of a certain voice. */
const surely = 0.9;
/** Share of certain voice that a sound needs to take the floor. A bark or a laugh reaches it only in parts. */
const sureShare = 0.8;
/** Gaps between syllables are shorter than this. */
const pauseMs = 200;
/** Required level above the expected echo, whose level fluctuates. */
const aboveEchoDb = 6;

/** A microphone block with what voice detector and echo canceller found in it. */
export interface HeardBlock {
  /** Probability of speech, if a detector runs. */
  readonly likelihood?: number | undefined;
  /** True if echo was cancelled from it. */
  readonly echo?: boolean | undefined;
  /** True if the canceller found near-end sound in it. */
  readonly somebody?: boolean | undefined;
}

/**
 * Distinguishes back-channel sounds during an answer from an attempt to speak, by level and length.
 * docs/decisions/0013-barge-in.md describes the limits, since echo is known by its level only.
 */
export class BargeInDetector {
  readonly #options: BargeInOptions;
  readonly #noise = new NoiseFloor();
  readonly #echo = new EchoLevel();
  #ducked = false;
  #tookFloor = false;
  /** Counted in microphone samples since the sound began, because a clock may jump. */
  #lengthMs = 0;
  #voicedMs = 0;
  #quietMs = 0;
  #sureMs = 0;
  #knownMs = 0;

  constructor(options: BargeInOptions) {
    this.#options = options;
  }

  /** True while the microphone hears the user over the answer; echo does not count. */
  get hearsPerson(): boolean {
    return !this.#options.enabled || this.#ducked;
  }

  /** Records the level of played sound, to predict its echo. */
  played(block: Float32Array, atMs: number): void {
    const part = outputRate / 50;
    for (let from = 0; from < block.length; from += part) {
      this.#echo.played(levelDb(block.subarray(from, from + part)), atMs);
    }
  }

  push(
    block: Float32Array,
    atMs: number,
    answering: boolean,
    { likelihood, echo: hasEcho = false, somebody = false }: HeardBlock = {},
  ): BargeInEvent | undefined {
    if (!this.#options.enabled || block.length === 0) return undefined;
    const ms = (block.length * 1000) / inputRate;
    const level = levelDb(block);
    const isKnown = this.#isKnown(somebody && !hasEcho && likelihood !== undefined, ms);
    const judged = hasEcho && likelihood !== undefined;
    const echo = this.#echo.explains(level, atMs, ms, { somebody, cancelled: judged });
    const least = somebody ? -Infinity : echo + aboveEchoDb;
    const above =
      judged || (somebody && likelihood !== undefined) ? aboveRoomDb : this.#options.aboveNoiseDb;
    const loud = level > Math.max(this.#noise.db + above, least);
    const sounds = (likelihood ?? 1) >= this.#wanted(judged, somebody);
    const voice = (loud && sounds) || isKnown;
    if (!this.#echo.sounds(atMs)) this.#noise.learn(level, ms, voice);
    if (!answering) return this.#over();
    if (voice) {
      const sure = (likelihood ?? 1) >= surely ? ms : 0;
      return this.#voiced(ms, sure, hasEcho && !somebody ? echoKnockMs : shortest(likelihood));
    }
    this.#quietMs += ms;
    return this.#quietMs >= pauseMs ? this.#over() : undefined;
  }

  #wanted(judged: boolean, somebody: boolean): number {
    if (!judged) return leastLikely;
    return somebody ? likelyBeside : likely;
  }

  #isKnown(somebody: boolean, ms: number): boolean {
    this.#knownMs = somebody ? this.#knownMs + ms : 0;
    return this.#knownMs >= knownMs;
  }

  #voiced(ms: number, sureMs: number, knock: number): BargeInEvent | undefined {
    // A short gap between syllables counts as part of the sound.
    this.#lengthMs += this.#lengthMs === 0 ? ms : this.#quietMs + ms;
    this.#voicedMs += ms;
    this.#sureMs += sureMs;
    this.#quietMs = 0;
    if (!this.#ducked && this.#voicedMs >= knock) {
      this.#ducked = true;
      return 'duck';
    }
    if (this.#tookFloor || !this.#ducked || this.#lengthMs <= this.#options.shortMs)
      return undefined;
    if (this.#sureMs < sureShare * this.#voicedMs) return undefined;
    this.#tookFloor = true;
    return 'takesFloor';
  }

  #over(): BargeInEvent | undefined {
    const ducked = this.#ducked;
    this.#ducked = false;
    this.#tookFloor = false;
    this.#lengthMs = 0;
    this.#voicedMs = 0;
    this.#sureMs = 0;
    this.#quietMs = 0;
    return ducked ? 'restore' : undefined;
  }
}

function shortest(likelihood: number | undefined): number {
  return likelihood === undefined ? knockMs : knownKnockMs;
}

/** How long a played level counts: the delay from playhead to microphone, plus reverberation. */
const lastsMs = 300;
/** Softer playback gives no information about the echo. */
const audibleDb = -45;
/** Assumed echo loss until an echo has been measured. */
const firstLossDb = -40;
const maxDb = 6;
/** Users rarely speak over the beginning of an answer, so the echo level is learned immediately there. */
const beginningMs = 400;
/** Later it rises slowly, so that a voice is not learned as echo. */
const slowDbPerSecond = 3;
const fallDbPerSecond = 6;
const silentDb = -100;
/** Playback after a longer gap counts as a new answer. */
const answerPauseMs = 1000;

/** Learns how loud the speaker's echo is in the microphone. */
class EchoLevel {
  readonly #played = new RecentPeak();
  readonly #captured = new RecentPeak();
  #lossDb = firstLossDb;
  #soundedMs = 0;
  #silentMs = 0;

  played(levelDb: number, atMs: number): void {
    if (levelDb >= audibleDb) this.#played.push(levelDb, atMs);
  }

  sounds(atMs: number): boolean {
    return this.#played.at(atMs) !== undefined;
  }

  /**
   * Returns the level that echo can explain, and learns from the block unless it has near-end sound. Residual
   * echo of a canceller is learned slowly, because the user may speak over an answer's beginning.
   */
  explains(
    levelDb: number,
    atMs: number,
    ms: number,
    { somebody = false, cancelled = false }: { somebody?: boolean; cancelled?: boolean } = {},
  ): number {
    // Echo arrives late and rings on, so only the recent peaks of both are comparable.
    if (!somebody) this.#captured.push(levelDb, atMs);
    const played = this.#played.at(atMs);
    if (played === undefined) {
      this.#silentMs += ms;
      if (this.#silentMs >= answerPauseMs) this.#soundedMs = 0;
      return silentDb;
    }
    this.#silentMs = 0;
    this.#soundedMs += ms;
    if (somebody) return played + this.#lossDb;
    const loss = (this.#captured.at(atMs) ?? levelDb) - played;
    const atOnce = this.#soundedMs <= beginningMs && !cancelled;
    const rise = atOnce ? Infinity : (slowDbPerSecond * ms) / 1000;
    const fall = (fallDbPerSecond * ms) / 1000;
    this.#lossDb = Math.max(this.#lossDb - fall, Math.min(loss, this.#lossDb + rise, maxDb));
    return played + this.#lossDb;
  }
}

/** The loudest recent level. */
class RecentPeak {
  #db = -Infinity;
  #at = -Infinity;

  push(db: number, atMs: number): void {
    if (db < this.#db && this.#lasts(atMs)) return;
    this.#db = db;
    this.#at = atMs;
  }

  at(atMs: number): number | undefined {
    return this.#lasts(atMs) ? this.#db : undefined;
  }

  /** Uses the distance in time, so a clock that jumps back cannot freeze the peak. */
  #lasts(atMs: number): boolean {
    return Math.abs(atMs - this.#at) < lastsMs;
  }
}

const quietestDb = -65;
/** Louder noise would make a talk impossible. */
const loudestDb = -25;
const firstDb = -55;
const fallShare = 0.2;
/** Slow enough to keep words out of the noise floor. */
const riseDbPerSecond = 6;
/** Slower still, but it lets the floor reach a fan that was classified as a voice. */
const voicedRiseDbPerSecond = 1;

class NoiseFloor {
  #db = firstDb;

  get db(): number {
    return this.#db;
  }

  learn(levelDb: number, ms: number, voice: boolean): void {
    const rise = ((voice ? voicedRiseDbPerSecond : riseDbPerSecond) * ms) / 1000;
    const next =
      levelDb < this.#db
        ? this.#db + (levelDb - this.#db) * fallShare
        : Math.min(levelDb, this.#db + rise);
    this.#db = Math.min(loudestDb, Math.max(quietestDb, next));
  }
}
