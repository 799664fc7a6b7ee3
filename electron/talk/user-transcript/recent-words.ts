import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { type Clock, Timer } from '../../../shared/ports/clock.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { joinSamples } from '../../audio/dsp/samples.ts';
import type { SpokenPhrase, TranscriberEvents } from './phrase-transcriber.ts';

interface Transcriber {
  readonly add: (phrase: SpokenPhrase) => void;
  readonly permit: (permission: 'ifFree') => void;
  readonly end: () => Promise<void>;
}

interface Deps {
  readonly clock: Clock;
  readonly openTranscriber: (events: TranscriberEvents) => Transcriber;
}

/** Phrases with a longer pause between them do not belong together. */
const maxGapMs = 2500;
/** Older words are not part of what the user asks for now. */
const maxAgeMs = 30_000;
/** Two phrases of the maximum length. */
const maxSeconds = 40;
/** Short, because the user waits for the result. */
const maxWaitMs = 20_000;

const endOf = ({ at, samples }: SpokenPhrase): number => at + (samples.length * 1000) / inputRate;

/** Holds the sound of the user's newest words in memory, and transcribes them if the user asks for it. */
export class RecentWords {
  readonly #deps: Deps;
  #phrases: readonly SpokenPhrase[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  add(phrase: SpokenPhrase): void {
    const phrases = [...this.#phrases, phrase];
    let seconds = phrases.reduce((sum, { samples }) => sum + samples.length / inputRate, 0);
    while (seconds > maxSeconds && phrases.length > 1)
      seconds -= (phrases.shift()?.samples.length ?? 0) / inputRate;
    this.#phrases = phrases;
  }

  clear(): void {
    this.#phrases = [];
  }

  /** The newest phrases without a long pause between them, oldest first. `now` is milliseconds since the talk began. */
  newest(now: number): readonly SpokenPhrase[] {
    const group: SpokenPhrase[] = [];
    let next = now - maxAgeMs + maxGapMs;
    for (const phrase of this.#phrases.toReversed()) {
      if (endOf(phrase) < next - maxGapMs) break;
      group.unshift(phrase);
      next = phrase.at;
    }
    return group;
  }

  /** Transcribes these phrases as one. Fails if the server is busy, or too slow. */
  transcribe(phrases: readonly SpokenPhrase[]): Promise<Outcome<string>> {
    const [first] = phrases;
    if (first === undefined) return Promise.resolve(failure('requestNoWords'));
    const samples = joinSamples(phrases.map((phrase) => phrase.samples));
    return new Promise((resolve) => {
      const timer = new Timer(this.#deps.clock);
      let isOver = false;
      const finish = (outcome: Outcome<string>): void => {
        if (isOver) return;
        isOver = true;
        timer.stop();
        void transcriber.end();
        resolve(outcome);
      };
      const transcriber = this.#deps.openTranscriber({
        onProgress: (_phrase, progress) => {
          if (progress.state === 'unwritten') finish({ ok: false, error: progress.error });
          else if (progress.state === 'written')
            finish(
              progress.text === '' ? failure('requestUnclear') : { ok: true, value: progress.text },
            );
        },
        onStatus: ({ kind }) => {
          if (kind === 'busy' || kind === 'queued') finish(failure('requestNoPlace'));
        },
      });
      timer.set(maxWaitMs, () => finish(failure('requestSlow', { seconds: maxWaitMs / 1000 })));
      transcriber.permit('ifFree');
      transcriber.add({ ...first, samples });
    });
  }
}
