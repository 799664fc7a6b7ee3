import {
  type ChatQuestion,
  type SessionSettings,
  type DialectName,
  inputRate,
} from '../../../shared/protocol/realtime-api.ts';
import type { JsonObject } from '../../../shared/protocol/json.ts';
import type { ServerCodec } from '../../../shared/protocol/server-codec.ts';
import {
  readTapeEvent,
  type TapeBeginning,
  type TapeEvent,
} from '../../../shared/recordings/tape-event.ts';
import type { Tape, TapeLine } from '../tape/tape.ts';

export type ClientEventDecoder = Pick<ServerCodec, 'decodeClientEvent'>;

export interface EventLine {
  readonly at: number;
  readonly index: number;
  /** Undefined for event kinds of a newer version. */
  readonly event: TapeEvent | undefined;
}

export function listEvents(lines: readonly TapeLine[]): readonly EventLine[] {
  return lines.flatMap((line, index) =>
    line.dir === 'event' ? [{ at: line.at, index, event: readTapeEvent(line.event) }] : [],
  );
}

export function findBeginning(events: readonly EventLine[]): TapeBeginning | undefined {
  const began = events.find(({ event }) => event?.kind === 'began')?.event;
  return began?.kind === 'began' ? began : undefined;
}

/** An interrupt reaches the wire within this time. */
const interruptWindowMs = 100;

/** Whether the next outgoing frame follows within `interruptWindowMs` and tells the model to listen. */
export function isInterruptOnWire(lines: readonly TapeLine[], index: number): boolean {
  const at = lines[index]?.at ?? 0;
  for (let next = index + 1; next < lines.length; next += 1) {
    const line = lines[next];
    if (line === undefined || line.at > at + interruptWindowMs) return false;
    if (line.dir === 'out') return 'frame' in line && forcesListen(line.frame);
  }
  return false;
}

function forcesListen(frame: unknown): boolean {
  return JSON.stringify(frame).includes('"force_listen":true');
}

/** If the header says `auto`: `legacy` if the first client frame is valid only in that dialect, otherwise `auto`. */
export function detectDialect(
  { header, lines }: Pick<Tape, 'header' | 'lines'>,
  codec: ClientEventDecoder,
): 'auto' | DialectName {
  if (header.dialect !== 'auto') return header.dialect;
  const first = lines.find(isClientFrame);
  if (first === undefined) return 'auto';
  const text = JSON.stringify(first.frame);
  return codec.decodeClientEvent(text, 'unified').kind === 'problem' &&
    codec.decodeClientEvent(text, 'legacy').kind !== 'problem'
    ? 'legacy'
    : 'auto';
}

export function decodePictures(
  { lines, frame }: Pick<Tape, 'lines' | 'frame'>,
  index: number,
  codec: ClientEventDecoder,
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

/** The parts of a session that a tape drives in the user's place. */
export interface ReplayTarget {
  pushAudio(block: Float32Array): void;
  pushFrame(frame: Uint8Array): void;
  setMaxSlices(slices: number): void;
  ask(turn: ChatQuestion): void;
  interrupt(): void;
  end(): void;
}

/** Returns a function that repeats on a session what the user did when a client frame was sent. */
export function createReplayClient(
  target: ReplayTarget,
  codec: ClientEventDecoder,
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
    // Only the first flag is the user's; the session repeats it by itself until the model yields.
    const interrupts = ask.forceListen === true && !forced;
    forced = ask.forceListen === true;
    if (interrupts) {
      // Sends a partial chunk; a full one would go out before the interrupt and without the flag.
      target.pushAudio(ask.audio.subarray(0, chunk - 1));
      target.interrupt();
    } else target.pushAudio(ask.audio);
  };
}

/** While a session looks for its dialect, it sends frames in both. */
function decode(frame: JsonObject, codec: ClientEventDecoder) {
  const text = JSON.stringify(frame);
  const ask = codec.decodeClientEvent(text, 'unified');
  return ask.kind === 'problem' ? codec.decodeClientEvent(text, 'legacy') : ask;
}

/** Settings of the tape's first session, with the voice; empty if the tape has none. */
export function readSessionSettings(
  { lines, frame }: Pick<Tape, 'lines' | 'frame'>,
  codec: ClientEventDecoder,
): SessionSettings {
  for (const line of lines) {
    if (!isClientFrame(line)) continue;
    const text = JSON.stringify(frame(line.frame));
    for (const dialect of ['unified', 'legacy'] as const) {
      const ask = codec.decodeClientEvent(text, dialect);
      if (ask.kind === 'configure') return ask.settings;
      if (ask.kind === 'append' || ask.kind === 'chat') return {};
    }
  }
  return {};
}

/** The written questions in order, each with its full message history. */
export function listQuestions(
  { lines, frame }: Pick<Tape, 'lines' | 'frame'>,
  codec: ClientEventDecoder,
): readonly ChatQuestion[] {
  return lines.flatMap((line) => {
    if (!isClientFrame(line)) return [];
    const ask = codec.decodeClientEvent(JSON.stringify(frame(line.frame)), 'unified');
    if (ask.kind !== 'chat') return [];
    const { kind: _kind, inputId: _inputId, ...question } = ask;
    return [question];
  });
}

export function hasInput(tape: Tape, codec: ClientEventDecoder): boolean {
  return tape.header.mode === 'chat'
    ? listQuestions(tape, codec).length > 0
    : findFirstSoundAt(tape, codec) !== undefined;
}

/** When capture of the first sent sound began; undefined if none was sent. */
export function findFirstSoundAt(
  { header, lines, frame }: Tape,
  codec: ClientEventDecoder,
): number | undefined {
  let length: number | undefined;
  const replayFrame = createReplayClient(
    {
      pushAudio: (samples) => {
        length ??= samples.length;
      },
      pushFrame: () => undefined,
      setMaxSlices: () => undefined,
      interrupt: () => undefined,
      ask: () => undefined,
      end: () => undefined,
    },
    codec,
    header.chunkMs,
  );
  for (const line of lines) {
    if (!isClientFrame(line)) continue;
    replayFrame(frame(line.frame));
    if (length !== undefined) return Math.max(0, line.at - (length * 1000) / inputRate);
  }
  return undefined;
}

export function isClientFrame(
  line: TapeLine,
): line is Extract<TapeLine, { readonly frame: unknown }> {
  return line.dir === 'out' && 'frame' in line;
}
