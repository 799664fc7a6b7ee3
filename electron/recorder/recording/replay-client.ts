import type { ChatTurnEvent } from '../../../shared/protocol/client-event.ts';
import type { ServerCodec } from '../../../shared/protocol/server-codec.ts';
import type { JsonObject } from '../../../shared/protocol/json.ts';
import { inputRate } from '../../../shared/protocol/protocol-limits.ts';

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
