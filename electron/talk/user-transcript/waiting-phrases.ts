import type { AppError } from '../../../shared/errors/app-error.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';

/** Identifies a phrase by its talk, and by the milliseconds from the talk's start to the phrase's. */
export interface PhraseRef {
  readonly talk: string;
  readonly at: number;
}

/** A phrase and the server it was spoken to; no other server gets it. */
export interface SpokenPhrase extends PhraseRef {
  readonly server: string;
  readonly samples: Float32Array;
}

export type PhraseProgress =
  | { readonly state: 'waiting' | 'writing' }
  /** Empty if no words were understood. */
  | { readonly state: 'written'; readonly text: string }
  | { readonly state: 'unwritten'; readonly error: AppError };

/** A phrase that is not transcribed yet, stored as 16-bit sound, the microphone's own resolution. */
export interface WaitingPhrase extends Omit<SpokenPhrase, 'samples'> {
  readonly sound: Int16Array;
  readonly tries: number;
  /** It was given up and waits for a manual retry. */
  readonly failed: boolean;
}

/** Ten minutes of speech, 19 MB. */
const maxSamples = 600 * inputRate;

/** Sound of phrases that are not transcribed yet, in memory and bounded. */
export class WaitingPhrases {
  #phrases: readonly WaitingPhrase[] = [];

  /** Returns the phrases dropped to make room: failed ones first, then the oldest. */
  add({ samples, ...phrase }: SpokenPhrase): readonly WaitingPhrase[] {
    const sound = new Int16Array(samples.length);
    for (let n = 0; n < sound.length; n += 1)
      sound[n] = Math.round(Math.max(-1, Math.min(1, samples[n] ?? 0)) * 32_767);
    this.#phrases = [...this.#phrases, { ...phrase, sound, tries: 0, failed: false }];
    const dropped: WaitingPhrase[] = [];
    while (this.#samples > maxSamples && this.#phrases.length > 1) {
      const oldest = this.#phrases.find(({ failed }) => failed) ?? this.#phrases[0];
      if (oldest === undefined) break;
      dropped.push(oldest);
      this.remove(oldest);
    }
    return dropped;
  }

  get next(): WaitingPhrase | undefined {
    return this.#phrases.find(({ failed }) => !failed);
  }

  forTalk(talk: string): readonly WaitingPhrase[] {
    return this.#phrases.filter((phrase) => phrase.talk === talk);
  }

  change(phrase: PhraseRef, change: Partial<Pick<WaitingPhrase, 'tries' | 'failed'>>): void {
    this.#phrases = this.#phrases.map((each) =>
      isSame(each, phrase) ? { ...each, ...change } : each,
    );
  }

  remove(phrase: PhraseRef): void {
    this.#phrases = this.#phrases.filter((each) => !isSame(each, phrase));
  }

  clear(): void {
    this.#phrases = [];
  }

  get #samples(): number {
    return this.#phrases.reduce((sum, { sound }) => sum + sound.length, 0);
  }
}

export function phraseSamples({ sound }: WaitingPhrase): Float32Array {
  const samples = new Float32Array(sound.length);
  for (let n = 0; n < samples.length; n += 1) samples[n] = (sound[n] ?? 0) / 32_767;
  return samples;
}

function isSame(one: PhraseRef, other: PhraseRef): boolean {
  return one.talk === other.talk && one.at === other.at;
}
