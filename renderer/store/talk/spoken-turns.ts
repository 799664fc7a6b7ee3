import type { Floor } from '../../../shared/talk/talk-controls.ts';

/** A stretch in which the person spoke, as far as this page has seen it; what was said is not known. */
export interface SpokenTurn {
  /** Milliseconds of the page's clock. */
  readonly at: number;
  readonly seconds: number;
  /** The newest turn of Parley's that had begun by then. */
  readonly after: number | undefined;
}

export interface SpokenTurns {
  readonly turns: readonly SpokenTurn[];
  readonly speaking: Pick<SpokenTurn, 'at' | 'after'> | undefined;
}

export const nothingSpoken: SpokenTurns = { turns: [], speaking: undefined };

/** What is shorter is a cough, or a key on the table. */
const minSeconds = 1;
/** More than a long talk has. */
const maxTurns = 500;

/** What becomes of them when somebody else has the floor; of what is not worth a mark, nothing. */
export function withFloor(
  spoken: SpokenTurns,
  floor: Floor,
  newest: number | undefined,
  now: number,
): SpokenTurns {
  const { turns, speaking } = spoken;
  const speaks = floor === 'you' || floor === 'both';
  if (speaks === (speaking !== undefined)) return spoken;
  if (speaking === undefined) return { turns, speaking: { at: now, after: newest } };
  const seconds = (now - speaking.at) / 1000;
  const last = turns.at(-1);
  // Parley has said nothing meanwhile: the same thought, with a breath in it.
  if (last !== undefined && last.after === speaking.after) {
    const longer = { ...last, seconds: last.seconds + seconds };
    return { turns: [...turns.slice(0, -1), longer], speaking: undefined };
  }
  if (seconds < minSeconds) return { turns, speaking: undefined };
  return { turns: [...turns, { ...speaking, seconds }].slice(-maxTurns), speaking: undefined };
}
