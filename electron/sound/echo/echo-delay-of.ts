import { inputRate } from '../../../shared/protocol/protocol-limits.ts';
import { echoBlockSamples } from '../capture/echo-canceller.ts';
import type { EchoRecording } from '../capture/echo-recorder.ts';
import { EchoDelay } from './echo-delay.ts';

/** Stamps are not exact: an echo may seem to come before what is played. */
const aheadMs = 20;
/** What is softer is no sound of the speaker. */
const audible = 1e-4;
/** One alone may be chance. */
const fewestFinds = 2;

/** How late the echo comes in a whole recording, in milliseconds; nothing where none is heard. */
export function echoDelayOf({ microphone, played }: EchoRecording): number | undefined {
  const delay = new EchoDelay();
  const ahead = (aheadMs * inputRate) / 1000;
  const finds: number[] = [];
  for (let from = 0; from + echoBlockSamples <= microphone.length; from += echoBlockSamples) {
    const reference = new Float32Array(echoBlockSamples);
    reference.set(played.subarray(from + ahead, from + ahead + echoBlockSamples));
    const isPlayed = reference.some((sample) => Math.abs(sample) > audible);
    const found = delay.follow(
      microphone.subarray(from, from + echoBlockSamples),
      reference,
      isPlayed,
    );
    if (found !== undefined) finds.push(found - aheadMs);
  }
  if (finds.length < fewestFinds) return undefined;
  return finds.toSorted((a, b) => a - b)[finds.length >> 1];
}
