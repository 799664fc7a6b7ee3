import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import { levelDb } from '../dsp/loudness.ts';

/** How a sound that the person makes during the answer is treated. */
export interface BargeInOptions {
  readonly enabled: boolean;
  /** Up to so long it is an "mm-hmm": the answer is lowered and goes on. Longer is a wish to speak. */
  readonly shortMs: number;
  /** How much louder than the room it must be; more for a noisy room, less for a quiet voice. */
  readonly aboveNoiseDb: number;
}

export const defaultBargeInOptions: BargeInOptions = {
  enabled: true,
  shortMs: 600,
  aboveNoiseDb: 12,
};

/** Every `duck` is followed by one `restore`; `takesFloor` comes between, or not at all. */
export type BargeInEvent = 'duck' | 'restore' | 'takesFloor';

/** Shorter is a knock, not a voice. */
const knockMs = 60;
/** The same where it is known to sound like a voice, which takes a moment itself. */
const knownKnockMs = 40;
/** The rest of an echo after a break in playback lasts as long as this. */
const echoKnockMs = 200;
/** Less likely so, and it is a key, a cough or a door… */
const leastLikely = 0.2;
/** …and more likely so, where an echo is taken out, it is a voice… */
const likely = 0.5;
/** …or somewhat so, where the canceller itself hears somebody… */
const likelyBeside = 0.35;
/** …however soft: it is above the room by only so much. */
const aboveRoomDb = 6;
/** For so long somebody is known to be there, and that alone lowers an answer: before a room is known little is left of them. */
const knownMs = 100;
/** Likely so much, it is a voice for sure… */
const surely = 0.9;
/** …and a sound takes the floor if this share of what is heard of it is so: a bark or a laugh is so in parts. */
const sureShare = 0.8;
/** Between syllables it is quiet for less than this. */
const pauseMs = 200;
/** The echo of the loudspeaker comes and goes: only what is above it by this much is somebody's. */
const aboveEchoDb = 6;

/** A microphone's block as detector and canceller judge it. */
export interface HeardBlock {
  /** How likely somebody speaks in it, where that is known. */
  readonly likelihood?: number | undefined;
  /** An echo was taken out of it. */
  readonly echo?: boolean | undefined;
  /** It is known to be more than an echo. */
  readonly somebody?: boolean | undefined;
}

/**
 * Barge-in: tells a short sound over the answer from the intent to speak, by level and length. What the
 * loudspeaker sends into the microphone is known by its level only: see
 * docs/decisions/0013-barge-in.md for what that can do and what not.
 */
export class BargeInDetector {
  readonly #options: BargeInOptions;
  readonly #noise = new NoiseFloor();
  readonly #echo = new EchoLevel();
  #ducked = false;
  #tookFloor = false;
  /** Since the sound began, in the microphone's samples: a clock may jump. */
  #lengthMs = 0;
  #voicedMs = 0;
  #quietMs = 0;
  #sureMs = 0;
  /** So long somebody has been known to be there. */
  #knownMs = 0;

  constructor(options: BargeInOptions) {
    this.#options = options;
  }

  /** Whether the microphone hears the person over the answer: the echo alone is none. */
  get hearsPerson(): boolean {
    return !this.#options.enabled || this.#ducked;
  }

  /** Takes what is being played, so that its echo is not taken for the person. */
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
    // A quiet moment between two syllables belongs to the sound.
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

/** From the playhead to the microphone's block, and as long as a room rings. */
const lastsMs = 300;
/** Softer sound says nothing about its echo. */
const audibleDb = -45;
/** How much softer than what was played the echo is taken to be before it was heard. */
const firstLossDb = -40;
const maxDb = 6;
/** An answer's beginning is rarely spoken into: there the echo is learned at once… */
const beginningMs = 400;
/** …and later so slowly that a voice is not taken for it. */
const slowDbPerSecond = 3;
const fallDbPerSecond = 6;
const silentDb = -100;
/** A pause that long, and it is another answer. */
const answerPauseMs = 1000;

/** How loud the loudspeaker can be in the microphone, learned from how loud it is there. */
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
   * How much of a captured level the loudspeaker explains; learns from it, unless it is somebody's. The rest that a canceller leaves
   * is known from the answers before, and is not learned at once: a person may speak over an answer's beginning.
   */
  explains(
    levelDb: number,
    atMs: number,
    ms: number,
    { somebody = false, cancelled = false }: { somebody?: boolean; cancelled?: boolean } = {},
  ): number {
    // The echo comes late and rings on, so that only the loudest of both can be compared.
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

/** The loudest of the newest levels; an older one counts for as long as it lasts. */
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

  /** A clock that went back makes nothing last for ever. */
  #lasts(atMs: number): boolean {
    return Math.abs(atMs - this.#at) < lastsMs;
  }
}

const quietestDb = -65;
/** No room one can talk in is louder. */
const loudestDb = -25;
const firstDb = -55;
const fallShare = 0.2;
/** Rising slowly keeps words out of it… */
const riseDbPerSecond = 6;
/** …and still finds a fan out that was taken for a voice. */
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
