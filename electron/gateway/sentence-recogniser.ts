import { inputRate, outputRate } from '../../shared/protocol/protocol-limits.ts';
import type { DemoClip, DemoSpeech } from './gateway.ts';
import { bestMatch } from './match-bands.ts';
import { frameMs, measureBands } from './sound-bands.ts';
import type { SoundBands } from './sound-bands.ts';

interface FoundSentence {
  readonly clip: DemoClip;
  /** In frames of what was heard; of a sentence that is not all there, before its beginning or beyond its end. */
  readonly from: number;
  readonly to: number;
  readonly likeness: number;
}

/** Of the recorded sentences two are alike by 0.86 at most, and each is like itself by 0.95 and more, however it is played. */
const minLikeness = 0.88;

/** Knows the recorded sentences by their sound, however loud, at whatever rate, with noise; of other words it knows nothing. */
export class SentenceRecogniser {
  readonly #clips: readonly DemoClip[];
  /** Of each sentence, once it was needed. */
  #known: readonly SoundBands[] = [];

  constructor({ clips }: DemoSpeech) {
    this.#clips = clips;
  }

  /** The words that stand in 16 kHz of sound, as far as they are known. Between sentences others may have their turn. */
  async wordsIn(samples: Float32Array, pause: () => Promise<void>): Promise<string | undefined> {
    const heard = measureBands(samples, inputRate);
    const found: FoundSentence[] = [];
    for (const [index, clip] of this.#clips.entries()) {
      const known = this.#known[index] ?? measureBands(clip.audio, outputRate);
      if (this.#known[index] === undefined) this.#known = [...this.#known, known];
      const match = bestMatch(heard, known);
      if (match !== undefined && match.likeness >= minLikeness)
        found.push({ ...match, clip, to: match.from + known.frames });
      await pause();
    }
    const sentences = withoutOverlap(found).toSorted((one, other) => one.from - other.from);
    if (sentences.length === 0) return undefined;
    return withGaps(sentences, heard).join(' ');
  }
}

/** What is known, with a mark where somebody said something else. */
function withGaps(sentences: readonly FoundSentence[], heard: SoundBands): readonly string[] {
  const words: string[] = [];
  let covered = 0;
  for (const sentence of sentences) {
    if (speaksIn(heard, covered, sentence.from)) words.push('…');
    words.push(wordsOf(sentence, heard.frames));
    covered = sentence.to;
  }
  if (speaksIn(heard, covered, heard.frames)) words.push('…');
  return words;
}

function speaksIn({ voiced }: SoundBands, from: number, to: number): boolean {
  return voiced.slice(from, Math.max(from, to)).filter(Boolean).length >= minUnknown;
}

/** Where two would stand in the same place the better one does. */
function withoutOverlap(found: readonly FoundSentence[]): readonly FoundSentence[] {
  const apart: FoundSentence[] = [];
  for (const one of found.toSorted((a, b) => b.likeness - a.likeness)) {
    const room = (one.to - one.from) / 3;
    const covered = apart.some(
      ({ from, to }) => Math.min(to, one.to) - Math.max(from, one.from) > room,
    );
    if (!covered) apart.push(one);
  }
  return apart;
}

/** What was said before the sound begins, or after it ends, was not heard. */
function wordsOf({ clip, from, to }: FoundSentence, frames: number): string {
  if (from >= -tolerance && to <= frames + tolerance) return clip.text;
  const seconds = (frame: number): number => ((frame - from) * frameMs) / 1000;
  const heard = clip.words.filter(({ start, end }) => {
    const middle = (start + end) / 2;
    return middle >= seconds(0) && middle <= seconds(frames);
  });
  const text = heard.map(({ text }) => text).join(' ');
  const isBegun = heard[0] === clip.words[0];
  const isEnded = heard.at(-1) === clip.words.at(-1);
  return `${isBegun ? '' : '… '}${text}${isEnded ? '' : ' …'}`;
}

/** Something else that was said is as long as a word. */
const minUnknown = 30;
/** The quiet at either end of a recording says nothing. */
const tolerance = 8;
