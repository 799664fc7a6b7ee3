import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { StartDigest } from '../../../shared/ports/files.ts';
import { readTapeEvent } from '../../../shared/recordings/tape-event.ts';
import { HeardCounter, stateEvents } from '../record/talk-snapshot.ts';
import { headerForTape } from '../record/written-line.ts';
import { type TapeRendererDeps, type TapedAnswer, renderTape } from '../replay/tape-renderer.ts';
import { detectDialect, listEvents } from '../replay/tape-lines.ts';
import {
  copyTape,
  type CopyTapeDeps,
  type InspectedTape,
  type TapeHealth,
} from '../tape/inspect-tape.ts';
import { openTape } from '../tape/tape-archive.ts';
import type { Tape, TapeHeader, TapeLine } from '../tape/tape.ts';
import { writeClip } from './write-clip.ts';

interface Deps extends CopyTapeDeps {
  readonly digest: StartDigest;
  readonly rendering: TapeRendererDeps;
}

/**
 * Copies a range of a tape to a new one: its entries, timed from the start of the range, and the earlier lines it needs
 * to play. Sound received before the range is left out, even if it was heard within it.
 */
export function cutTape(
  folder: string,
  into: string,
  range: TapeRange,
  deps: Deps,
): Promise<Outcome<TapeHealth>> {
  return copyTape(folder, into, deps, (tape) => cut(folder, into, tape, range, deps));
}

async function cut(
  folder: string,
  into: string,
  { header, lines: indexed, sounds }: InspectedTape,
  { from, to }: TapeRange,
  deps: Deps,
): Promise<Outcome<undefined>> {
  const path = deps.displayPath ?? folder;
  const lines = indexed.map(({ line }) => line);
  const lengthMs = lines.at(-1)?.at ?? 0;
  if (from >= lengthMs)
    return failure('tapeStretchBeyond', { path, seconds: floorToTenths(lengthMs) });
  const answers = await listAnswers(folder, deps);
  if (!answers.ok) return answers;
  const clip = cutLines(lines, { from, to: Math.min(to, lengthMs) }, answers.value);
  if (!hasTraffic(clip)) return failure('tapeStretchEmpty', { path });
  const clipped = clipHeader(header, clip, from, deps);
  return writeClip(folder, into, { header: clipped, lines: clip, sounds }, deps);
}

async function listAnswers(folder: string, deps: Deps): Promise<Outcome<readonly TapedAnswer[]>> {
  const tape = await openTape(folder, deps);
  if (!tape.ok) return tape;
  const answers = await renderAnswers(tape.value, deps.rendering);
  tape.value.close();
  return { ok: true, value: answers };
}

/** The header of the new tape. If the dialect was detected before the range, the frames in the range show it. */
function clipHeader(
  header: TapeHeader,
  lines: readonly TapeLine[],
  from: number,
  { rendering }: Deps,
): TapeHeader {
  const dialect = detectDialect({ header, lines }, rendering.codec);
  return headerForTape({ ...header, dialect, recordedAt: addToDate(header.recordedAt, from) });
}

function addToDate(recordedAt: string, ms: number): string {
  const later = new Date(Date.parse(recordedAt) + ms);
  return Number.isNaN(later.getTime()) ? recordedAt : later.toISOString();
}

/** Seconds with one decimal, rounded down so that the printed end is inside the tape. */
function floorToTenths(ms: number): number {
  return Math.floor(ms / 100) / 10;
}

/** In milliseconds of the tape. */
export interface TapeRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Builds the lines of the new tape: first the state and the open handshakes at the start of the range, then the range.
 * Renumbers connections and heard samples.
 */
function cutLines(
  lines: readonly TapeLine[],
  { from, to }: TapeRange,
  answers: readonly TapedAnswer[],
): readonly TapeLine[] {
  const first = findLineIndex(lines, (at) => at >= from);
  const end = findLineIndex(lines, (at) => at > to);
  const before = lines.slice(0, first);
  const within = lines.slice(first, end);
  const counted = renumberHeard(within, first, answers);
  const handshakes = openHandshakes(before);
  const openAtEnd = [...handshakes, ...within].reduce(trackConnections, new Set<number>());
  const cut: readonly TapeLine[] =
    openAtEnd.size === 0 ? [] : [{ at: to, dir: 'event', event: { kind: 'cut' } }];
  const clipLines = [
    ...[...latestStates(before), ...handshakes].map((line) => moveLine(line, from)),
    ...counted.map((line) => clampGap(line, from)),
    ...cut,
  ];
  const numbers = connectionNumbers(clipLines);
  return clipLines.map((line) => {
    const number = line.dir === 'event' ? 1 : (numbers.get(line.connection ?? 1) ?? 1);
    return numberLine(moveLine(line, Math.round((line.at - from) * 1000) / 1000), number);
  });
}

function moveLine(line: TapeLine, at: number): TapeLine {
  return { ...line, at };
}

function numberLine({ connection: _connection, ...line }: TapeLine, number: number): TapeLine {
  // Keeps the fields in the order in which a recorder writes them.
  const { at, ...what } = line;
  return number === 1 ? { at, ...what } : { at, connection: number, ...what };
}

function hasTraffic(lines: readonly TapeLine[]): boolean {
  return lines.some(({ at, dir }) => at > 0 && dir !== 'event');
}

function findLineIndex(lines: readonly TapeLine[], holds: (at: number) => boolean): number {
  const found = lines.findIndex(({ at }) => holds(at));
  return found === -1 ? lines.length : found;
}

function latestStates(before: readonly TapeLine[]): readonly TapeLine[] {
  const latest = new Map<string, TapeLine>();
  for (const line of before) {
    const kind = line.dir === 'event' ? line.event['kind'] : undefined;
    if (typeof kind === 'string' && stateEvents.has(kind)) latest.set(kind, line);
  }
  return [...latest.values()];
}

/** Lines before the first append of each connection that is open when the range begins. */
function openHandshakes(before: readonly TapeLine[]): readonly TapeLine[] {
  const open = before.reduce(trackConnections, new Set<number>());
  const settled = new Set<number>();
  return before.filter((line) => {
    const { connection = 1 } = line;
    if (line.dir === 'event' || !open.has(connection)) return false;
    if (isAppend(line)) settled.add(connection);
    return !settled.has(connection);
  });
}

function trackConnections(
  open: ReadonlySet<number>,
  { dir, connection = 1 }: TapeLine,
): Set<number> {
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

/** New numbers from 1, because a replay numbers connections in the order in which they open. */
function connectionNumbers(lines: readonly TapeLine[]): ReadonlyMap<number, number> {
  const used = lines.filter(({ dir }) => dir !== 'event').map(({ connection = 1 }) => connection);
  const sorted = [...new Set(used)].toSorted((one, other) => one - other);
  return new Map(sorted.map((connection, index) => [connection, index + 1]));
}

/** Renumbers `heard` events, and leaves out those for sound that was received before the range. */
function renumberHeard(
  within: readonly TapeLine[],
  first: number,
  answers: readonly TapedAnswer[],
): readonly TapeLine[] {
  const counter = new HeardCounter();
  const onLine = new Map<number, TapedAnswer[]>();
  for (const answer of answers) {
    if (answer.line < first) counter.countAnswer(answer.turn, answer.samples, true);
    else onLine.set(answer.line, [...(onLine.get(answer.line) ?? []), answer]);
  }
  counter.beginTape();
  return within.flatMap((line, index) => {
    for (const { turn, samples } of onLine.get(first + index) ?? [])
      counter.countAnswer(turn, samples, true);
    const event = line.dir === 'event' ? readTapeEvent(line.event) : undefined;
    if (event?.kind !== 'heard') return [line];
    const heard = counter.translate(event);
    return heard === undefined ? [] : [{ ...line, dir: 'event', event: { ...heard } }];
  });
}

/** Moves the start of a gap to the new tape's time, or to 0 if it is before the range. */
function clampGap(line: TapeLine, from: number): TapeLine {
  if (line.dir !== 'event' || line.event['kind'] !== 'gap') return line;
  const { from: began } = line.event;
  const since = typeof began === 'number' ? Math.max(0, began - from) : 0;
  return { ...line, event: { ...line.event, from: since } };
}

/** Renders the tape to learn which line belongs to which turn, because tapes do not record that. */
async function renderAnswers(tape: Tape, deps: TapeRendererDeps): Promise<readonly TapedAnswer[]> {
  // Only `heard` events need turn numbers.
  if (!listEvents(tape.lines).some(({ event }) => event?.kind === 'heard')) return [];
  const answers: TapedAnswer[] = [];
  await renderTape(tape, {
    ...deps,
    onAnswer: (answer) => answers.push(answer),
  });
  return answers;
}
