import type { Mode } from '../../../shared/protocol/dialect-and-mode.ts';
import type { JsonValue } from '../../../shared/protocol/json.ts';
import { isJsonObject } from '../../../shared/protocol/json.ts';
import type { WireBatch, WireFrame } from '../../../shared/wire/wire-frame.ts';
import { redactWireFrame } from '../recording/redact-wire-frame.ts';
import type { TapeLine } from '../recording/tape.ts';

/** As many as an inspector is shown at once of a talk. */
const maxFrames = 50;

/** What passed on the wire after one moment and up to another, as the inspector shows it. */
export function wireBetween(
  lines: readonly TapeLine[],
  mode: Mode,
  after: number,
  until: number,
): WireBatch {
  const passed: TapeLine[] = [];
  for (let index = firstAfter(lines, after); index < lines.length; index += 1) {
    const line = lines[index];
    if (line === undefined || line.at > until) break;
    if (line.dir !== 'event') passed.push(line);
  }
  const shown = passed.slice(0, maxFrames);
  return { frames: shown.map((line) => show(line, mode)), missed: passed.length - shown.length };
}

function firstAfter(lines: readonly TapeLine[], after: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.at ?? Infinity) <= after) low = middle + 1;
    else high = middle;
  }
  return low;
}

function show(line: TapeLine, mode: Mode): WireFrame {
  const { at, connection = 1, dir } = line;
  const text = textOf(line);
  const direction =
    dir === 'open' ? 'opened' : dir === 'end' ? 'ended' : dir === 'in' ? 'in' : 'out';
  const length = dir === 'in' || dir === 'out' ? text.length : 0;
  return { at, connection, mode, direction, length, text: redactWireFrame(text, []) };
}

function textOf(line: TapeLine): string {
  if ('frame' in line) return JSON.stringify(withoutMedia(line.frame));
  if ('text' in line) return line.text ?? '';
  if (line.dir !== 'end') return '';
  const { code, reason, status, body, problem } = line.end;
  return [code ?? status, reason ?? body ?? problem]
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .join(' ')
    .trim();
}

/** Sound and pictures by what there is of them. */
function withoutMedia(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => withoutMedia(item));
  if (!isJsonObject(value)) return value;
  const { $file: file, samples } = value;
  if ('$sound' in value) return `‹${Number(samples)} samples›`;
  if (typeof file === 'string') return `‹${file}›`;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withoutMedia(inner)]),
  );
}
