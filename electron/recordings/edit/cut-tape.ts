import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Files, StartDigest } from '../../../shared/ports/files.ts';
import type { Base64 } from '../../../shared/protocol/base64-media.ts';
import { readTapeEvent } from '../../../shared/recordings/tape-event.ts';
import { HeardCount, standingEvents } from '../record/standing-state.ts';
import { headerForTape } from '../record/tape-line-writer.ts';
import { type TapeRendererDeps, type TapedAnswer, renderTape } from '../replay/tape-renderer.ts';
import { dialectOnTape, eventsOf } from '../replay/tape-lines.ts';
import { checkTape, type TapeHealth } from '../tape/check-tape.ts';
import { type InspectedTape, inspectTape } from '../tape/inspect-tape.ts';
import { openTape } from '../tape/open-tape.ts';
import type { Tape, TapeHeader, TapeLine } from '../tape/tape.ts';
import { writeStretch } from './write-stretch.ts';

interface Deps {
  readonly files: Files;
  readonly base64: Base64;
  readonly digest: StartDigest;
  readonly rendering: TapeRendererDeps;
  /** As a person calls it, where that is not its folder. */
  readonly called?: string | undefined;
}

/**
 * Makes a tape of a stretch of another one, which is only read: with all that came and went in it at its times, and with as
 * much of before as it takes to be played by itself. What had come before and was still to be heard is not on it.
 */
export async function cutTape(
  folder: string,
  into: string,
  stretch: TapeStretch,
  deps: Deps,
): Promise<Outcome<TapeHealth>> {
  const inspected = await inspectTape(folder, deps);
  if (!inspected.ok) return inspected;
  const { sounds } = inspected.value;
  const written = await cut(folder, into, inspected.value, stretch, deps);
  for (const sound of sounds.values()) sound.close();
  return written.ok ? checkTape(into, { files: deps.files, digest: deps.digest }) : written;
}

async function cut(
  folder: string,
  into: string,
  { header, lines: indexed, sounds }: InspectedTape,
  { from, to }: TapeStretch,
  deps: Deps,
): Promise<Outcome<undefined>> {
  const path = deps.called ?? folder;
  const lines = indexed.map(({ line }) => line);
  const lengthMs = lines.at(-1)?.at ?? 0;
  if (from >= lengthMs) return failure('tapeStretchBeyond', { path, seconds: inSeconds(lengthMs) });
  const answers = await answersOn(folder, deps);
  if (!answers.ok) return answers;
  const kept = stretchLines(lines, { from, to: Math.min(to, lengthMs) }, answers.value);
  if (!isPlayable(kept)) return failure('tapeStretchEmpty', { path });
  const own = headerOf(header, kept, from, deps);
  return writeStretch(folder, into, { header: own, lines: kept, sounds }, deps);
}

async function answersOn(folder: string, deps: Deps): Promise<Outcome<readonly TapedAnswer[]>> {
  const tape = await openTape(folder, deps);
  if (!tape.ok) return tape;
  const answers = await tapedAnswers(tape.value, deps.rendering);
  tape.value.close();
  return { ok: true, value: answers };
}

/** Where the dialect was found out before, what is left says which it was. */
function headerOf(
  header: TapeHeader,
  lines: readonly TapeLine[],
  from: number,
  { rendering }: Deps,
): TapeHeader {
  const dialect = dialectOnTape({ header, lines }, rendering.codec);
  return headerForTape({ ...header, dialect, recordedAt: laterBy(header.recordedAt, from) });
}

function laterBy(recordedAt: string, ms: number): string {
  const later = new Date(Date.parse(recordedAt) + ms);
  return Number.isNaN(later.getTime()) ? recordedAt : later.toISOString();
}

/** To a tenth: a moment that is just before its end is inside. */
function inSeconds(ms: number): number {
  return Math.floor(ms / 100) / 10;
}

/** A part of a tape, in its milliseconds. */
export interface TapeStretch {
  readonly from: number;
  readonly to: number;
}

/**
 * The lines of a stretch as those of a tape of its own: first how everything stood and how each connection had begun that was
 * open then, all else at its time; connections, and what was heard, counted anew.
 */
function stretchLines(
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
function isPlayable(lines: readonly TapeLine[]): boolean {
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

/** What came of which turn, and on which line: nothing of it stands on a tape, so that its rendered tape has to be made. */
async function tapedAnswers(tape: Tape, deps: TapeRendererDeps): Promise<readonly TapedAnswer[]> {
  // Only what was heard is counted by turns.
  if (!eventsOf(tape.lines).some(({ event }) => event?.kind === 'heard')) return [];
  const answers: TapedAnswer[] = [];
  await renderTape(tape, {
    ...deps,
    answered: (answer) => {
      answers.push(answer);
    },
  });
  return answers;
}
