import { failure } from '../../../shared/errors/app-error.ts';
import { isTapeCoding } from '../../../shared/replay/tape-coding.ts';
import { shortened } from '../../../shared/errors/session-reasons.ts';
import type { JsonObject } from '../../../shared/protocol/json.ts';
import { isJsonObject, parseJsonObject } from '../../../shared/protocol/json.ts';
import type { Mode } from '../../../shared/protocol/dialect-and-mode.ts';
import { modes } from '../../../shared/protocol/dialect-and-mode.ts';
import type { Outcome } from '../../ports/outcome.ts';
import { isTooDeep } from './media-references.ts';
import { formatSteps, stepsFrom, tapeVersion } from './tape-format.ts';
import type { FormatStep } from './tape-format.ts';
import type { TapeHeader, TapeLine } from './tape.ts';

/** No server takes longer ones. */
const maxChunkMs = 60_000;

interface ReadHeader {
  readonly header: TapeHeader;
  /** What makes the lines of this tape those of our version. */
  readonly migrate: FormatStep['line'];
}

/** The first line of a tape; fields that this version does not know are left out. */
export function parseTapeHeader(
  text: string,
  steps: Readonly<Record<number, FormatStep>> = formatSteps,
): Outcome<ReadHeader> {
  const found = parseJsonObject(text);
  if (found?.['format'] !== 'parley-tape' || isTooDeep(found)) return failure('tapeOfOthers');
  const { version } = found;
  const known = typeof version === 'number' && Number.isInteger(version) && version >= 0;
  const step = known && version <= tapeVersion ? stepsFrom(version, steps) : undefined;
  if (step === undefined) {
    return failure('tapeVersion', { version: shortened(JSON.stringify(version) ?? '') });
  }
  const { mode, dialect, chunkMs, settings, endpoint, sound, saved, recordedAt } =
    step.header(found);
  if (!isMode(mode)) return failure('tapeModeless');
  const header: TapeHeader = {
    format: 'parley-tape',
    version: tapeVersion,
    mode,
    dialect: dialect === 'unified' || dialect === 'legacy' ? dialect : 'auto',
    chunkMs: isChunk(chunkMs) ? chunkMs : 1000,
    settings: isJsonObject(settings) ? settings : {},
    endpoint: typeof endpoint === 'string' ? endpoint : '',
    ...(isTapeCoding(sound) ? { sound } : {}),
    ...(saved === true ? { saved } : {}),
    recordedAt: typeof recordedAt === 'string' ? recordedAt : '',
  };
  return { ok: true, value: { header, migrate: step.line } };
}

function isChunk(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= maxChunkMs;
}

/** A line of a tape, its media still references; nothing if it is none. */
export function parseTapeLine(
  text: string,
  migrate: FormatStep['line'] = (line) => line,
): TapeLine | 'unknown' | undefined {
  const parsed = parseJsonObject(text);
  if (parsed === undefined) return undefined;
  const found = migrate(parsed);
  const { at, dir, connection } = found;
  if (typeof at !== 'number' || typeof dir !== 'string') return undefined;
  const body = bodyOf(dir, found);
  if (body === undefined || body === 'unknown') return body;
  return { at, connection: typeof connection === 'number' ? connection : 1, ...body };
}

type Body = TapeLine extends infer Line
  ? Line extends TapeLine
    ? Omit<Line, 'at' | 'connection'>
    : never
  : never;

function bodyOf(
  dir: string,
  { frame, text, end, event }: JsonObject,
): Body | 'unknown' | undefined {
  if (dir === 'open') return { dir };
  if (dir === 'end') return isJsonObject(end) ? { dir, end } : undefined;
  if (dir === 'event') return isJsonObject(event) ? { dir, event } : undefined;
  // A later version may have more; that is not for us.
  if (dir !== 'in' && dir !== 'out') return 'unknown';
  if (frame === undefined) return { dir, text: typeof text === 'string' ? text : undefined };
  return isJsonObject(frame) ? { dir, frame } : undefined;
}

function isMode(value: unknown): value is Mode {
  return modes.some((mode) => mode === value);
}
