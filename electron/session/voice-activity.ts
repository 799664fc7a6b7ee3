import { inputRate } from '../../shared/protocol/protocol-limits.ts';

/** Speech at a headset or a table microphone is well above this, a quiet room well below. */
const voiceRms = 0.02;
const stretchSamples = inputRate / 20;
/** A click or a knock is shorter. */
const minVoicedStretches = 4;

/** Whether somebody speaks in a chunk: by its energy, in at least four stretches of 50 ms. */
export function hasVoiceActivity(chunk: Float32Array): boolean {
  let loud = 0;
  for (let from = 0; from + stretchSamples <= chunk.length; from += stretchSamples) {
    let power = 0;
    for (let at = from; at < from + stretchSamples; at += 1) power += (chunk[at] ?? 0) ** 2;
    if (power / stretchSamples >= voiceRms ** 2) loud += 1;
    if (loud >= minVoicedStretches) return true;
  }
  return false;
}
