import type { ChatTurnEvent, SessionSettings } from '../../../shared/protocol/client-event.ts';
import type { JsonObject } from '../../../shared/protocol/json.ts';
import { type DialectName, inputRate } from '../../../shared/protocol/realtime-api.ts';
import type { ServerCodec } from '../../../shared/protocol/server-codec.ts';
import {
  readTapeEvent,
  type TapeBeginning,
  type TapeEvent,
} from '../../../shared/recordings/tape-event.ts';
import type { Tape, TapeLine } from '../tape/tape.ts';

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

/** What a tape does with a session in the place of a person; a session has all of it. */
export interface ReplayTarget {
  pushAudio(block: Float32Array): void;
  pushFrame(frame: Uint8Array): void;
  setMaxSlices(slices: number): void;
  ask(turn: Omit<ChatTurnEvent, 'kind' | 'inputId'>): void;
  interrupt(): void;
  end(): void;
}

/** Does with a session what the person did when this frame of ours went out. */
export function createReplayClient(
  target: ReplayTarget,
  codec: Pick<ServerCodec, 'decodeClientEvent'>,
  chunkMs: number,
): (frame: JsonObject) => void {
  const chunk = Math.round((chunkMs * inputRate) / 1000);
  let forced = false;
  let slices: number | undefined;
  return (frame) => {
    const ask = decode(frame, codec);
    if (ask.kind === 'close') target.end();
    if (ask.kind === 'chat') {
      const { kind: _kind, inputId: _inputId, ...turn } = ask;
      target.ask(turn);
    }
    if (ask.kind !== 'append') return;
    if (ask.maxSlices !== undefined && ask.maxSlices !== slices) target.setMaxSlices(ask.maxSlices);
    slices = ask.maxSlices;
    for (const picture of ask.frames ?? []) target.pushFrame(picture);
    // The session repeats it by itself until the model yields.
    const interrupts = ask.forceListen === true && !forced;
    forced = ask.forceListen === true;
    if (interrupts) {
      // Sends what was heard so far; a chunk that were full would have gone before, without the flag.
      target.pushAudio(ask.audio.subarray(0, chunk - 1));
      target.interrupt();
    } else target.pushAudio(ask.audio);
  };
}

/** A session that looks for its dialect speaks both. */
function decode(frame: JsonObject, codec: Pick<ServerCodec, 'decodeClientEvent'>) {
  const text = JSON.stringify(frame);
  const ask = codec.decodeClientEvent(text, 'unified');
  return ask.kind === 'problem' ? codec.decodeClientEvent(text, 'legacy') : ask;
}

/** With what the first session of a tape was configured, voices included. */
export function settingsOnTape(
  { lines, frame }: Pick<Tape, 'lines' | 'frame'>,
  codec: Pick<ServerCodec, 'decodeClientEvent'>,
): SessionSettings {
  for (const line of lines) {
    if (line.dir !== 'out' || !('frame' in line)) continue;
    const text = JSON.stringify(frame(line.frame));
    for (const dialect of ['unified', 'legacy'] as const) {
      const ask = codec.decodeClientEvent(text, dialect);
      if (ask.kind === 'configure') return ask.settings;
      if (ask.kind === 'append' || ask.kind === 'chat') return {};
    }
  }
  return {};
}

type Question = Omit<ChatTurnEvent, 'kind' | 'inputId'>;

/** What was asked in writing, in order: each with all that had been said before it, as it stands on the tape. */
export function questionsOnTape(
  { lines, frame }: Pick<Tape, 'lines' | 'frame'>,
  codec: Pick<ServerCodec, 'decodeClientEvent'>,
): readonly Question[] {
  return lines.flatMap((line) => {
    if (line.dir !== 'out' || !('frame' in line)) return [];
    const ask = codec.decodeClientEvent(JSON.stringify(frame(line.frame)), 'unified');
    if (ask.kind !== 'chat') return [];
    const { kind: _kind, inputId: _inputId, ...question } = ask;
    return [question];
  });
}

type Codec = Pick<ServerCodec, 'decodeClientEvent'>;

/** Whether a person said or asked anything on a tape. */
export function hasInput(tape: Tape, codec: Codec): boolean {
  return tape.header.mode === 'chat'
    ? questionsOnTape(tape, codec).length > 0
    : firstSoundOf(tape, codec) !== undefined;
}

/** When the first sound of a tape began to be captured; nothing where none was sent. */
export function firstSoundOf({ header, lines, frame }: Tape, codec: Codec): number | undefined {
  let length: number | undefined;
  const playOurs = createReplayClient(
    {
      pushAudio: (samples) => {
        length ??= samples.length;
      },
      pushFrame: nothing,
      setMaxSlices: nothing,
      interrupt: nothing,
      ask: nothing,
      end: nothing,
    },
    codec,
    header.chunkMs,
  );
  for (const line of lines) {
    if (!isOurs(line)) continue;
    playOurs(frame(line.frame));
    if (length !== undefined) return Math.max(0, line.at - (length * 1000) / inputRate);
  }
  return undefined;
}

export function isOurs(line: TapeLine): line is Extract<TapeLine, { readonly frame: unknown }> {
  return line.dir === 'out' && 'frame' in line;
}

const nothing = (): void => undefined;
