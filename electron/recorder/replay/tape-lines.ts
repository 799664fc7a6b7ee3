import type { DialectName } from '../../../shared/protocol/dialect-and-mode.ts';
import type { ServerCodec } from '../../../shared/protocol/server-codec.ts';
import { readTapeEvent } from '../../../shared/replay/read-tape-event.ts';
import type { TapeBeginning, TapeEvent } from '../../../shared/replay/tape-event.ts';
import type { Tape, TapeLine } from '../recording/tape.ts';

export interface EventLine {
  readonly at: number;
  readonly index: number;
  /** Nothing where this version does not know it. */
  readonly event: TapeEvent | undefined;
}

/** What the wire does not show, in order. */
export function eventsOf(lines: readonly TapeLine[]): readonly EventLine[] {
  return lines.flatMap((line, index) =>
    line.dir === 'event' ? [{ at: line.at, index, event: readTapeEvent(line.event) }] : [],
  );
}

export function beginningOf(events: readonly EventLine[]): TapeBeginning | undefined {
  const began = events.find(({ event }) => event?.kind === 'began')?.event;
  return began?.kind === 'began' ? began : undefined;
}

/** So soon an interruption goes out that the model is told of. */
const soonMs = 100;

/** Whether what goes out right after this line tells the model to listen. */
export function interruptsOnWire(lines: readonly TapeLine[], index: number): boolean {
  const at = lines[index]?.at ?? 0;
  for (let next = index + 1; next < lines.length; next += 1) {
    const line = lines[next];
    if (line === undefined || line.at > at + soonMs) return false;
    if (line.dir === 'out') return 'frame' in line && forcesListen(line.frame);
  }
  return false;
}

function forcesListen(frame: unknown): boolean {
  return JSON.stringify(frame).includes('"force_listen":true');
}

/** What a talk knew of its server before stands on no tape, but what it said first does. */
export function dialectOnTape(
  { header, lines }: Pick<Tape, 'header' | 'lines'>,
  codec: Pick<ServerCodec, 'decodeClientEvent'>,
): 'auto' | DialectName {
  if (header.dialect !== 'auto') return header.dialect;
  const first = lines.find((line) => line.dir === 'out' && 'frame' in line);
  if (first === undefined || !('frame' in first)) return 'auto';
  const text = JSON.stringify(first.frame);
  return codec.decodeClientEvent(text, 'unified').kind === 'problem' &&
    codec.decodeClientEvent(text, 'legacy').kind !== 'problem'
    ? 'legacy'
    : 'auto';
}

/** The pictures of a line of ours. */
export function picturesOf(
  { lines, frame }: Pick<Tape, 'lines' | 'frame'>,
  index: number,
  codec: Pick<ServerCodec, 'decodeClientEvent'>,
): readonly Uint8Array[] {
  const line = lines[index];
  if (line === undefined || !('frame' in line)) return [];
  const text = JSON.stringify(frame(line.frame));
  for (const dialect of ['unified', 'legacy'] as const) {
    const ask = codec.decodeClientEvent(text, dialect);
    if (ask.kind === 'append' && ask.frames !== undefined) return ask.frames;
  }
  return [];
}
