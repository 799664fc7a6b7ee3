import { AdaptiveCanceller } from '../../electron/audio/echo/adaptive-canceller.ts';
import { echoBlockSamples } from '../../electron/audio/echo/echo-canceller.ts';
import { inputRate } from '../../shared/protocol/realtime-api.ts';
import { type EchoRoom, powerDb } from './echo-room.ts';

/** The canceller's output for a room, aligned with the room's samples. */
export function cancelEcho(
  { microphone, played }: Pick<EchoRoom, 'microphone' | 'played'>,
  canceller = new AdaptiveCanceller(),
): Float32Array {
  const { leadMs } = canceller;
  const heard = new Float32Array(microphone.length);
  for (let n = 0; n + echoBlockSamples <= heard.length; n += echoBlockSamples) {
    const end = n + echoBlockSamples;
    // The canceller shifts its reference for a late echo.
    const shift = Math.round(((canceller.leadMs - leadMs) * inputRate) / 1000);
    const farEnd = Float32Array.from({ length: end - n }, (_, k) => played[n + shift + k] ?? 0);
    const delayed = canceller.process(microphone.slice(n, end), farEnd);
    // The output is one block late.
    if (n > 0) heard.set(delayed, n - echoBlockSamples);
  }
  return heard;
}

export function echoReductionDb(
  room: EchoRoom,
  heard: Float32Array,
  from: number,
  to: number,
): number {
  return powerDb(room.microphone, from, to) - powerDb(heard, from, to);
}

/** The level of the voice in the output, and its ratio to everything else. */
export function measureVoice(room: EchoRoom, heard: Float32Array, from: number, to: number) {
  let product = 0;
  let voicePower = 0;
  let otherPower = 0;
  for (let n = from * inputRate; n < to * inputRate; n += 1) {
    const voice = room.voice[n] ?? 0;
    product += voice * (heard[n] ?? 0);
    voicePower += voice ** 2;
    otherPower += ((heard[n] ?? 0) - voice) ** 2;
  }
  return {
    levelDb: 20 * Math.log10(product / voicePower),
    clearDb: 10 * Math.log10(voicePower / otherPower),
  };
}
