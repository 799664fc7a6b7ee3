import { outputRate } from '../../shared/protocol/realtime-api.ts';
import type { DemoClip } from './gateway-options.ts';

const pauseSamples = Math.round(outputRate * 0.2);

/** A sequence of clips as one sound with its words. */
export interface Utterance {
  readonly words: readonly SpokenWord[];
  readonly audio: Float32Array;
}

export interface SpokenWord {
  readonly text: string;
  /** In samples from the utterance's beginning. */
  readonly start: number;
  readonly end: number;
}

/** The part of an utterance that one step speaks. */
export interface UtteranceSlice {
  readonly text: string;
  readonly audio: Float32Array;
  readonly isLast: boolean;
}

/** Joins clips. `notes` are texts by clip id, which follow that clip's words and are not spoken. */
export function composeUtterance(
  clips: readonly DemoClip[],
  notes: Readonly<Record<string, string | undefined>> = {},
): Utterance {
  const pauses = Math.max(0, clips.length - 1) * pauseSamples;
  const audio = new Float32Array(clips.reduce((sum, clip) => sum + clip.audio.length, pauses));
  const words: SpokenWord[] = [];
  let offset = 0;
  for (const clip of clips) {
    audio.set(clip.audio, offset);
    for (const { text, start, end } of clip.words) {
      words.push({
        text,
        start: offset + Math.round(start * outputRate),
        end: offset + Math.round(end * outputRate),
      });
    }
    const note = notes[clip.id];
    const end = offset + clip.audio.length;
    if (note !== undefined) words.push({ text: note, start: words.at(-1)?.end ?? offset, end });
    offset = end + pauseSamples;
  }
  return { words, audio };
}

/** The sound between two samples, with the words that begin there or up to `textLead` samples later. */
export function sliceUtterance(
  { words, audio }: Utterance,
  from: number,
  until: number,
  textLead = 0,
): UtteranceSlice {
  const isLast = until >= audio.length;
  // The previous slice already sent the text up to here.
  const textFrom = from === 0 ? 0 : from + textLead;
  const text = words
    .filter(({ start }) => start >= textFrom && (start < until + textLead || isLast))
    .map((word) => (word === words[0] ? word.text : ` ${word.text}`))
    .join('');
  return { text, audio: audio.subarray(from, until), isLast };
}
