import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { VoiceDetector } from '../../audio/detection/voice-detector.ts';
import { joinSamples } from '../../audio/dsp/samples.ts';

/** A phrase spoken in one breath: samples at 16 kHz, and the time of the first one. */
export interface CutPhrase {
  readonly samples: Float32Array;
  readonly begunAt: number;
}

const pieceMs = 20;
const pieceSamples = (inputRate * pieceMs) / 1000;
/** Included before a phrase, because its first consonant may be below the detector's level. */
const preRollMs = 320;
/**
 * The detector goes on reporting a voice for this long after the voice has ended. So a pause of this plus `pauseMs`,
 * 700 ms, ends a phrase.
 */
const detectorHoldMs = 400;
const pauseMs = 300;
/** Silence that stays at the end of a phrase. */
const tailMs = 200;
/** A shorter sound is a knock and not a word. */
const minVoiceMs = 120;
const maxMs = 20_000;
/** A phrase that is too long is divided at the quietest point of this last part. */
const lookBackMs = 5000;
/** Sound after a gap this long belongs to another phrase. */
const gapMs = 500;

/** Cuts gated sound into phrases at pauses, none longer than 20 s. Times come from the caller's clock. */
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

  /** `now` is the time of the last sample. Sound that is not the user's counts as quiet. `voice` is a probability. */
  push(samples: Float32Array, now: number, isUsersVoice: boolean, voice?: number): void {
    const begunAt = now - toMs(samples.length);
    // A block can begin before the last one ended, if it was delivered late.
    if (begunAt - this.#endedAt > gapMs) this.finish();
    for (let from = 0; from < samples.length; from += pieceSamples) {
      const part = samples.slice(from, from + pieceSamples);
      this.#endedAt = begunAt + toMs(from + part.length);
      this.#push(part, isUsersVoice, voice);
    }
  }

  /** Emits an open phrase; a pause in the sound follows. */
  finish(): void {
    if (this.#inPhrase) this.#emit(this.#pieces.length);
    this.#reset();
    this.#voice.reset();
  }

  #push(part: Float32Array, isUsersVoice: boolean, voice: number | undefined): void {
    this.#voice.push(part, voice);
    this.#pieces.push(part);
    const speaks = this.#voice.isSpeaking && isUsersVoice;
    if (!this.#inPhrase && !speaks) {
      if (this.#pieces.length > preRollMs / pieceMs) this.#pieces.shift();
      return;
    }
    this.#inPhrase = true;
    const ms = toMs(part.length);
    this.#quietMs = speaks ? 0 : this.#quietMs + ms;
    if (speaks) this.#voicedMs += ms;
    if (this.#quietMs >= pauseMs) {
      const behind = Math.floor((this.#quietMs + detectorHoldMs - tailMs) / pieceMs);
      this.#emit(this.#pieces.length - behind);
      this.#reset();
    } else if (this.#pieces.length * pieceMs >= maxMs) this.#divide();
  }

  /** Divides a phrase that is too long at its quietest point. */
  #divide(): void {
    const index = quietestIndex(this.#pieces, this.#pieces.length - lookBackMs / pieceMs);
    this.#emit(index);
    this.#pieces = this.#pieces.slice(index);
    // The rest continues the phrase, so it is emitted even if it is short.
    this.#voicedMs = detectorHoldMs + minVoiceMs;
  }

  #emit(count: number): void {
    if (this.#voicedMs < detectorHoldMs + minVoiceMs) return;
    const all = this.#pieces.reduce((sum, { length }) => sum + length, 0);
    const parts = this.#pieces.slice(0, Math.max(1, count));
    this.#cut({
      samples: joinSamples(parts),
      begunAt: Math.round(this.#endedAt - toMs(all)),
    });
  }

  #reset(): void {
    this.#pieces = [];
    this.#inPhrase = false;
    this.#voicedMs = 0;
    this.#quietMs = 0;
  }
}

function toMs(samples: number): number {
  return (samples * 1000) / inputRate;
}

/** Width of the search window for a quiet point, in pieces. */
const windowPieces = 3;

/** Index of the middle piece of the quietest window, so that words are rarely split. */
function quietestIndex(pieces: readonly Float32Array[], from: number): number {
  const powers = pieces.map(meanPower);
  let bestIndex = pieces.length;
  let minPower = Infinity;
  for (let index = Math.max(1, from); index + windowPieces <= pieces.length; index += 1) {
    const power = powers.slice(index, index + windowPieces).reduce((sum, each) => sum + each, 0);
    if (power > minPower) continue;
    minPower = power;
    bestIndex = index + Math.floor(windowPieces / 2);
  }
  return bestIndex;
}

function meanPower(samples: Float32Array): number {
  return samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length);
}
