import type { FilmMarkKind, FilmTimeline } from '../../../shared/replay/film-timeline.ts';
import type { ReplayStop } from '../../../shared/replay/replay-view.ts';
import type { Film } from './film.ts';

const troubles: ReadonlySet<FilmMarkKind> = new Set<FilmMarkKind>([
  'trouble',
  'reconnect',
  'device',
]);

/** The moments that a step can go to, in order. */
function stopsOf({ turns, marks }: Pick<FilmTimeline, 'turns' | 'marks'>, to: ReplayStop) {
  const begun = to === 'any' || to === 'turn' ? turns.map(({ from }) => from) : [];
  const marked = marks.filter(
    ({ kind }) => to === 'any' || kind === to || (to === 'trouble' && troubles.has(kind)),
  );
  return [...begun, ...marked.map(({ at }) => at)].toSorted((one, other) => one - other);
}

/** Whoever plays is past a moment before having looked at it. */
const justNowMs = 800;
const sameMs = 1;

/** Where a step leads; nothing where there is none that way. */
export function stepFrom(
  timeline: Pick<FilmTimeline, 'turns' | 'marks'>,
  at: number,
  to: ReplayStop,
  way: 'next' | 'previous',
  playing: boolean,
): number | undefined {
  const stops = stopsOf(timeline, to);
  if (way === 'next') return stops.find((stop) => stop > at + sameMs);
  const before = at - (playing ? justNowMs : sameMs);
  return stops.findLast((stop) => stop < before);
}

/** When a letter of a turn was shown as heard; of one that never was, when its turn changed last. */
export function timeOfLetter({ notices }: Film, turn: number, letter: number): number | undefined {
  let found: number | undefined;
  for (const { at, name, payload } of notices) {
    if (name !== 'caption' || payload.turn !== turn) continue;
    found = at;
    if (payload.heard !== undefined && payload.heard > letter) return at;
  }
  return found;
}
