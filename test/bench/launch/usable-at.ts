import type { ScreenPicture } from '../../e2e/fixtures/screen-memory.ts';

export interface SeenPicture {
  readonly at: number;
  readonly picture: ScreenPicture;
}

export interface Launch {
  readonly shownAt: number;
  /** When nine tenths of the page's final content was drawn. */
  readonly usableAt: number;
  /** Pixels that differ from the background. */
  readonly ink: number;
}

/** Share of the final content that counts as drawn. */
const drawnShare = 0.9;

/**
 * Finds when a window appeared and when it was drawn. The window is the region that finally differs from the empty screen,
 * its background the most common colour, and its content all other pixels.
 */
export function judgeLaunch(empty: ScreenPicture, seen: readonly SeenPicture[]): Launch {
  const first = seen[0];
  const last = seen.at(-1);
  if (first === undefined || last === undefined) throw new Error('No window was seen.');
  const emptyWords = wordsOf(empty);
  const end = wordsOf(last.picture);
  const window = [...end.keys()].filter((at) => end[at] !== emptyWords[at]);
  const background = commonest(window.map((at) => end[at] ?? 0));
  const ink = window.filter((at) => end[at] !== background);
  if (ink.length === 0) throw new Error('The window stayed empty.');
  const isDrawn = ({ picture }: SeenPicture): boolean => {
    const words = wordsOf(picture);
    return ink.filter((at) => words[at] === end[at]).length >= ink.length * drawnShare;
  };
  return { shownAt: first.at, usableAt: (seen.find(isDrawn) ?? last).at, ink: ink.length };
}

function wordsOf({ pixels }: ScreenPicture): Uint32Array {
  return new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4);
}

function commonest(colours: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}
