import type { AppError } from '../../../shared/errors/app-error.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';

/** Names a phrase: in which talk, and how many milliseconds after that began. */
export interface PhraseRef {
  readonly talk: string;
  readonly at: number;
}

/** What was said, and the server that it was said to: no other one gets it. */
export interface SpokenPhrase extends PhraseRef {
  readonly server: string;
  /** 16 kHz mono. */
  readonly samples: Float32Array;
}

/** What has become of a phrase. */
export type PhraseNews =
  | { readonly state: 'waiting' | 'writing' }
  /** Empty where no words were made out. */
  | { readonly state: 'written'; readonly text: string }
  | { readonly state: 'unwritten'; readonly error: AppError };

/** One of which the words are not known yet: its sound with 16 bit, which is all that a microphone has. */
export interface WaitingPhrase extends Omit<SpokenPhrase, 'samples'> {
  readonly sound: Int16Array;
  readonly tries: number;
  /** It was given up, and stays for another try. */
  readonly failed: boolean;
}

/** Ten minutes of speech: 19 MB. */
const maxSamples = 600 * inputRate;

/** The sound of phrases that were not written down yet, in memory and not without end. */
export class WaitingPhrases {
  #phrases: readonly WaitingPhrase[] = [];

  /** Those that had to go for it: given up ones first, then the oldest. */
  add({ samples, ...phrase }: SpokenPhrase): readonly WaitingPhrase[] {
    const sound = new Int16Array(samples.length);
    for (let n = 0; n < sound.length; n += 1)
      sound[n] = Math.round(Math.max(-1, Math.min(1, samples[n] ?? 0)) * 32_767);
    this.#phrases = [...this.#phrases, { ...phrase, sound, tries: 0, failed: false }];
    const gone: WaitingPhrase[] = [];
    while (this.#samples > maxSamples && this.#phrases.length > 1) {
      const oldest = this.#phrases.find(({ failed }) => failed) ?? this.#phrases[0];
      if (oldest === undefined) break;
      gone.push(oldest);
      this.remove(oldest);
    }
    return gone;
  }

  get next(): WaitingPhrase | undefined {
    return this.#phrases.find(({ failed }) => !failed);
  }

  ofTalk(talk: string): readonly WaitingPhrase[] {
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
