import { failure } from '../../shared/errors/app-error.ts';
import type { JsonObject } from '../../shared/protocol/json.ts';
import { isJsonObject, parseJsonObject } from '../../shared/protocol/json.ts';
import type { Mode } from '../../shared/protocol/dialect-and-mode.ts';
import { modes } from '../../shared/protocol/dialect-and-mode.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { TapeHeader, TapeLine } from './tape.ts';

/** The first line of a tape; fields that this version does not know are left out. */
export function parseTapeHeader(text: string): Outcome<TapeHeader> {
  const found = parseJsonObject(text);
  if (found?.['format'] !== 'parley-tape') return failure('tapeOfOthers');
  const { version, mode, dialect, chunkMs, settings, endpoint, recordedAt } = found;
  if (version !== 1) {
    return failure('tapeVersion', { version: JSON.stringify(version) ?? '' });
  }
  if (!isMode(mode)) return failure('tapeModeless');
  return {
    ok: true,
    value: {
      format: 'parley-tape',
      version: 1,
      mode,
      dialect: dialect === 'unified' || dialect === 'legacy' ? dialect : 'auto',
      chunkMs: typeof chunkMs === 'number' && chunkMs > 0 ? chunkMs : 1000,
      settings: isJsonObject(settings) ? settings : {},
      endpoint: typeof endpoint === 'string' ? endpoint : '',
      recordedAt: typeof recordedAt === 'string' ? recordedAt : '',
    },
  };
}

/** A line of a tape, its media still references; nothing if it is none. */
export function parseTapeLine(text: string): TapeLine | 'unknown' | undefined {
  const found = parseJsonObject(text);
  if (found === undefined) return undefined;
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
