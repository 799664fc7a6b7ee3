import { failure } from '../../../../shared/errors/app-error.ts';
import type { Base64 } from '../../../../shared/protocol/base64.ts';
import type { StartDigest } from '../../../ports/digest.ts';
import type { Files } from '../../../ports/files.ts';
import type { Outcome } from '../../../ports/outcome.ts';
import { checkTape } from '../../recording/check-tape.ts';
import type { TapeHealth } from '../../recording/check-tape.ts';
import { inspectTape } from '../../recording/inspect-tape.ts';
import type { InspectedTape } from '../../recording/inspect-tape.ts';
import { openTape } from '../../recording/open-tape.ts';
import { headerForTape } from '../../recording/written-line.ts';
import type { TapeHeader, TapeLine } from '../../recording/tape.ts';
import type { FilmMakerDeps, TapedAnswer } from '../film-maker-deps.ts';
import { dialectOnTape } from '../tape-lines.ts';
import { isPlayable, stretchLines } from './stretch-lines.ts';
import type { TapeStretch } from './stretch-lines.ts';
import { tapedAnswers } from './taped-answers.ts';
import { writeStretch } from './write-stretch.ts';

interface Deps {
  readonly files: Files;
  readonly base64: Base64;
  readonly digest: StartDigest;
  readonly film: FilmMakerDeps;
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
  const answers = await tapedAnswers(tape.value, deps.film);
  tape.value.close();
  return { ok: true, value: answers };
}

/** Where the dialect was found out before, what is left says which it was. */
function headerOf(
  header: TapeHeader,
  lines: readonly TapeLine[],
  from: number,
  { film }: Deps,
): TapeHeader {
  const dialect = dialectOnTape({ header, lines }, film.codec);
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
