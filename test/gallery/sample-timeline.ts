import { appError } from '../../shared/errors/app-error.ts';
import type { TapeMark, TapeTimeline, TapeTurn } from '../../shared/recordings/replay-view.ts';

const everyMs = 50;

interface Options {
  readonly seconds: number;
  /** The rendered share, from 0 to 1. */
  readonly ready?: number;
  readonly pictures?: boolean;
}

/** A talk with turns of ten seconds and marks of every kind. */
export function sampleTimeline({ seconds, ready = 1, pictures = false }: Options): TapeTimeline {
  const lengthMs = seconds * 1000;
  const points = lengthMs / everyMs;
  const voice = (speaker: 0 | 1) =>
    Uint8Array.from({ length: points }, (_, point) => {
      const at = (point * everyMs) / 1000;
      if (Math.floor(at / 10) % 2 !== speaker || at % 10 > 8.5) return 8;
      const syllable = 0.5 + 0.5 * Math.sin(point * 0.9 + speaker);
      const phrase = 0.6 + 0.4 * Math.sin(point * 0.07 + 2 * speaker);
      return Math.round(70 + 150 * syllable * phrase);
    });
  const turns: TapeTurn[] = [];
  const marks: TapeMark[] = [];
  for (let from = 10_000, turn = 1; from < lengthMs; from += 20_000, turn += 1) {
    const cut = turn % 3 === 2;
    const to = Math.min(lengthMs, from + (cut ? 5000 : 8500));
    turns.push({ turn, from, to, cut });
    if (cut) marks.push({ at: to, kind: 'interruption' });
  }
  if (pictures)
    for (let at = 1000, picture = 0; at < lengthMs; at += 3000, picture += 1)
      marks.push({ at, kind: 'picture', picture });
  marks.push(
    { at: lengthMs * 0.4, kind: 'trouble', error: appError('sessionCut') },
    { at: lengthMs * 0.44, kind: 'reconnect' },
    { at: lengthMs * 0.7, kind: 'device', error: appError('noMicrophone') },
    { at: lengthMs, kind: 'ending' },
  );
  marks.sort((one, other) => one.at - other.at);
  return {
    lengthMs,
    readyMs: lengthMs * ready,
    turns,
    marks,
    ribbon: { everyMs, you: voice(0), parley: voice(1) },
  };
}
