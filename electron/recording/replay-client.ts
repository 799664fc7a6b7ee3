import type { ChatTurn } from '../../shared/protocol/client-ask.ts';
import type { ServerCodec } from '../../shared/protocol/codec.ts';
import type { JsonObject } from '../../shared/protocol/json.ts';
import { inputRate } from '../../shared/protocol/limits.ts';

/** The doors of a session that a tape knocks on; a session has them all. */
export interface ReplayDoors {
  readonly hear: (block: Float32Array) => void;
  readonly see: (frame: Uint8Array) => void;
  readonly setMaxSlices: (slices: number) => void;
  readonly ask: (turn: Omit<ChatTurn, 'kind' | 'inputId'>) => void;
  readonly interrupt: () => void;
  readonly end: () => void;
}

/** Does with a session what the person did when this frame of ours went out. */
export function createReplayClient(
  doors: ReplayDoors,
  codec: Pick<ServerCodec, 'decodeAsk'>,
  chunkMs: number,
): (frame: JsonObject) => void {
  const chunk = Math.round((chunkMs * inputRate) / 1000);
  let forced = false;
  let slices: number | undefined;
  return (frame) => {
    const ask = decode(frame, codec);
    if (ask.kind === 'close') doors.end();
    if (ask.kind === 'chat') {
      const { kind: _kind, inputId: _inputId, ...turn } = ask;
      doors.ask(turn);
    }
    if (ask.kind !== 'append') return;
    if (ask.maxSlices !== undefined && ask.maxSlices !== slices) doors.setMaxSlices(ask.maxSlices);
    slices = ask.maxSlices;
    for (const picture of ask.frames ?? []) doors.see(picture);
    // The session repeats it by itself until the model yields.
    const interrupts = ask.forceListen === true && !forced;
    forced = ask.forceListen === true;
    if (interrupts) {
      // Sends what was heard so far; a chunk that were full would have gone before, without the flag.
      doors.hear(ask.audio.subarray(0, chunk - 1));
      doors.interrupt();
    } else doors.hear(ask.audio);
  };
}

/** A session that looks for its dialect speaks both. */
function decode(frame: JsonObject, codec: Pick<ServerCodec, 'decodeAsk'>) {
  const text = JSON.stringify(frame);
  const ask = codec.decodeAsk(text, 'unified');
  return ask.kind === 'problem' ? codec.decodeAsk(text, 'legacy') : ask;
}
