import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { VoiceDetector } from '../../audio/detection/voice-detector.ts';
import { joinSamples } from '../../audio/dsp/samples.ts';

/** What somebody said in one breath: 16 kHz, and when its first sample was. */
export interface CutPhrase {
  readonly samples: Float32Array;
  readonly begunAt: number;
}

const pieceMs = 20;
const piece = (inputRate * pieceMs) / 1000;
/** The first consonant is quieter than what the detector takes for a voice. */
const preRollMs = 320;
/** The detector itself holds 400 ms: with them a pause of 700 ms ends a phrase. */
const heldMs = 400;
const pauseMs = 300;
/** So much of the quiet behind it stays. */
const tailMs = 200;
/** Shorter is a knock, not a word. */
const minVoiceMs = 120;
const maxMs = 20_000;
/** In the last part of what is too long the quietest place is looked for. */
const lookBackMs = 5000;
/** Nothing came for so long: what follows is another phrase. */
const gapMs = 500;

/**
 * Cuts what the gate lets through into phrases, at pauses, none longer than twenty seconds. Times are those of whoever
 * hands the sound over, so that a phrase stands where it was said.
 */
export class PhraseCutter {
  readonly #cut: (phrase: CutPhrase) => void;
  readonly #voice = new VoiceDetector(inputRate);
  #pieces: Float32Array[] = [];
  #inPhrase = false;
  #voicedMs = 0;
  #quietMs = 0;
  #endedAt = -Infinity;

  constructor(cut: (phrase: CutPhrase) => void) {
    this.#cut = cut;
  }

  /** The last sample is of `now`; what is not the person's (an answer's echo) ends phrases like quiet does. `voice`: how likely it is one's. */
  push(samples: Float32Array, now: number, isPersons: boolean, voice?: number): void {
    const begunAt = now - msOf(samples.length);
    // Of sound that came late the beginning was captured before the last one's end.
    if (begunAt - this.#endedAt > gapMs) this.finish();
    for (let from = 0; from < samples.length; from += piece) {
      const part = samples.slice(from, from + piece);
      this.#endedAt = begunAt + msOf(from + part.length);
      this.#push(part, isPersons, voice);
    }
  }

  /** Nothing more comes for now. */
  finish(): void {
    if (this.#inPhrase) this.#emit(this.#pieces.length);
    this.#forget();
    this.#voice.stop();
  }

  #push(part: Float32Array, isPersons: boolean, voice: number | undefined): void {
    this.#voice.push(part, voice);
    this.#pieces.push(part);
    const speaks = this.#voice.speaks && isPersons;
    if (!this.#inPhrase && !speaks) {
      if (this.#pieces.length > preRollMs / pieceMs) this.#pieces.shift();
      return;
    }
    this.#inPhrase = true;
    const ms = msOf(part.length);
    this.#quietMs = speaks ? 0 : this.#quietMs + ms;
    if (speaks) this.#voicedMs += ms;
    if (this.#quietMs >= pauseMs) {
      const behind = Math.floor((this.#quietMs + heldMs - tailMs) / pieceMs);
      this.#emit(this.#pieces.length - behind);
      this.#forget();
    } else if (this.#pieces.length * pieceMs >= maxMs) this.#divide();
  }

  /** What is too long is cut where it is quietest, and goes on. */
  #divide(): void {
    const place = quietestPlace(this.#pieces, this.#pieces.length - lookBackMs / pieceMs);
    this.#emit(place);
    this.#pieces = this.#pieces.slice(place);
    // It was spoken all the time.
    this.#voicedMs = heldMs + minVoiceMs;
  }

  #emit(count: number): void {
    if (this.#voicedMs < heldMs + minVoiceMs) return;
    const all = this.#pieces.reduce((sum, { length }) => sum + length, 0);
    const parts = this.#pieces.slice(0, Math.max(1, count));
    this.#cut({
      samples: joinSamples(parts),
      begunAt: Math.round(this.#endedAt - msOf(all)),
    });
  }

  #forget(): void {
    this.#pieces = [];
    this.#inPhrase = false;
    this.#voicedMs = 0;
    this.#quietMs = 0;
  }
}

function msOf(samples: number): number {
  return (samples * 1000) / inputRate;
}

/** Between words it is quiet for so many pieces. */
const width = 3;

/** Before which piece it is quietest, from one of them on; a word is not cut where it can be helped. */
function quietestPlace(pieces: readonly Float32Array[], from: number): number {
  const powers = pieces.map(powerOf);
  let best = pieces.length;
  let least = Infinity;
  for (let place = Math.max(1, from); place + width <= pieces.length; place += 1) {
    const power = powers.slice(place, place + width).reduce((sum, each) => sum + each, 0);
    if (power > least) continue;
    least = power;
    best = place + Math.floor(width / 2);
  }
  return best;
}

function powerOf(samples: Float32Array): number {
  return samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length);
}
