import { readTapeEvent } from '../../../../shared/replay/read-tape-event.ts';
import { HeardCount } from '../../recording/heard-count.ts';
import { standingEvents } from '../../recording/standing-events.ts';
import type { TapeLine } from '../../recording/tape.ts';
import type { TapedAnswer } from '../film-maker-deps.ts';

/** A part of a tape, in its milliseconds. */
export interface TapeStretch {
  readonly from: number;
  readonly to: number;
}

/**
 * The lines of a stretch as those of a tape of its own: first how everything stood and how each connection had begun that was
 * open then, all else at its time; connections, and what was heard, counted anew.
 */
export function stretchLines(
  lines: readonly TapeLine[],
  { from, to }: TapeStretch,
  answers: readonly TapedAnswer[],
): readonly TapeLine[] {
  const first = firstAt(lines, (at) => at >= from);
  const end = firstAt(lines, (at) => at > to);
  const before = lines.slice(0, first);
  const within = lines.slice(first, end);
  const counted = countHeard(within, first, answers);
  const handshakes = handshakesOf(before);
  const openAtEnd = [...handshakes, ...within].reduce(openAfter, new Set<number>());
  const cut: readonly TapeLine[] =
    openAtEnd.size === 0 ? [] : [{ at: to, dir: 'event', event: { kind: 'cut' } }];
  const kept = [
    ...standingOf(before).map((line) => lineAt(line, from)),
    ...handshakes.map((line) => lineAt(line, from)),
    ...counted.map((line) => gapWithin(line, from)),
    ...cut,
  ];
  const numbers = connectionNumbers(kept);
  return kept.map((line) => {
    const number = line.dir === 'event' ? 1 : (numbers.get(line.connection ?? 1) ?? 1);
    return numbered(lineAt(line, Math.round((line.at - from) * 1000) / 1000), number);
  });
}

function lineAt(line: TapeLine, at: number): TapeLine {
  return { ...line, at };
}

/** The first connection is not said. */
function numbered({ connection: _connection, ...line }: TapeLine, number: number): TapeLine {
  // As a recorder puts them: when, on which, what.
  const { at, ...what } = line;
  return number === 1 ? { at, ...what } : { at, connection: number, ...what };
}

/** Something came or went in it. */
export function isPlayable(lines: readonly TapeLine[]): boolean {
  return lines.some(({ at, dir }) => at > 0 && dir !== 'event');
}

function firstAt(lines: readonly TapeLine[], holds: (at: number) => boolean): number {
  const found = lines.findIndex(({ at }) => holds(at));
  return found === -1 ? lines.length : found;
}

/** How everything stood, the latest of each kind. */
function standingOf(before: readonly TapeLine[]): readonly TapeLine[] {
  const standing = new Map<string, TapeLine>();
  for (const line of before) {
    const kind = line.dir === 'event' ? line.event['kind'] : undefined;
    if (typeof kind === 'string' && standingEvents.has(kind)) standing.set(kind, line);
  }
  return [...standing.values()];
}

/** How each connection began that is still open after these lines, up to the first that was asked on it. */
function handshakesOf(before: readonly TapeLine[]): readonly TapeLine[] {
  const open = before.reduce(openAfter, new Set<number>());
  const settled = new Set<number>();
  return before.filter((line) => {
    const { connection = 1 } = line;
    if (line.dir === 'event' || !open.has(connection)) return false;
    if (isAppend(line)) settled.add(connection);
    return !settled.has(connection);
  });
}

function openAfter(open: ReadonlySet<number>, { dir, connection = 1 }: TapeLine): Set<number> {
  const after = new Set(open);
  if (dir === 'end') after.delete(connection);
  else if (dir !== 'event') after.add(connection);
  return after;
}

const append = /^input\w*\.append$/u;

function isAppend(line: TapeLine): boolean {
  const type = line.dir === 'out' && 'frame' in line ? line.frame['type'] : undefined;
  return typeof type === 'string' && append.test(type);
}

/** A replay counts the connections that it opens. */
function connectionNumbers(lines: readonly TapeLine[]): ReadonlyMap<number, number> {
  const used = lines.filter(({ dir }) => dir !== 'event').map(({ connection = 1 }) => connection);
  const sorted = [...new Set(used)].toSorted((one, other) => one - other);
  return new Map(sorted.map((connection, index) => [connection, index + 1]));
}

/** Without what was heard of sound that came before. */
function countHeard(
  within: readonly TapeLine[],
  first: number,
  answers: readonly TapedAnswer[],
): readonly TapeLine[] {
  const count = new HeardCount();
  const onLine = new Map<number, TapedAnswer[]>();
  for (const answer of answers) {
    if (answer.line < first) count.answered(answer.turn, answer.samples, true);
    else onLine.set(answer.line, [...(onLine.get(answer.line) ?? []), answer]);
  }
  count.beginTape();
  return within.flatMap((line, index) => {
    for (const { turn, samples } of onLine.get(first + index) ?? [])
      count.answered(turn, samples, true);
    const event = line.dir === 'event' ? readTapeEvent(line.event) : undefined;
    if (event?.kind !== 'heard') return [line];
    const heard = count.heard(event);
    return heard === undefined ? [] : [{ ...line, dir: 'event', event: { ...heard } }];
  });
}

/** Of a gap it is told when it began. */
function gapWithin(line: TapeLine, from: number): TapeLine {
  if (line.dir !== 'event' || line.event['kind'] !== 'gap') return line;
  const { from: began } = line.event;
  const since = typeof began === 'number' ? Math.max(0, began - from) : 0;
  return { ...line, event: { ...line.event, from: since } };
}
