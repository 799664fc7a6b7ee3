import { describe, expect, it } from 'vitest';
import {
  BargeInDetector,
  defaultBargeInOptions,
} from '../../../../../electron/audio/detection/barge-in.ts';
import { VoiceModel } from '../../../../../electron/audio/detection/voice-model.ts';
import { AdaptiveCanceller } from '../../../../../electron/audio/echo/adaptive-canceller.ts';
import { echoBlockSamples } from '../../../../../electron/audio/echo/echo-canceller.ts';
import { inputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { echoRoom, type EchoRoomOptions } from '../../../../fakes/echo-room.ts';

const answerAt = 0.5;
const seconds = 2.4;
const seeds = Array.from({ length: 12 }, (_, n) => n + 20);
/** A different syllable in each room. */
const personAt = (seed: number): number => 0.85 + (seed % 4) * 0.1;

/** When the first answer is ducked; infinity if it is not. */
function loweredAt(options: EchoRoomOptions): number {
  const { microphone, played } = echoRoom({ seconds, pauses: [[0, answerAt]], ...options });
  const [canceller, voice] = [new AdaptiveCanceller(), new VoiceModel()];
  const detector = new BargeInDetector(defaultBargeInOptions);
  for (let at = 0; at + echoBlockSamples <= microphone.length; at += echoBlockSamples) {
    const block = (of: Float32Array): Float32Array => of.slice(at, at + echoBlockSamples);
    const clean = canceller.process(block(microphone), block(played));
    voice.push(clean);
    const ms = (at * 1000) / inputRate;
    const answering = ms >= answerAt * 1000;
    if (answering) detector.played(block(played), ms);
    const event = detector.push(clean, ms, answering, {
      likelihood: voice.likelihood,
      presence: canceller.nearEndPresence,
    });
    if (event === 'duck') return at / inputRate;
  }
  return Infinity;
}

/** In how many of twelve rooms a user who begins 0.35 to 0.65 s into the answer is detected within 0.3 s. */
function noticed(options: Omit<EchoRoomOptions, 'seed'>): number {
  const found = seeds.filter((seed) => {
    const at = personAt(seed);
    const after = loweredAt({ seed, speaks: [[at, seconds]], ...options }) - at;
    return after >= 0 && after <= 0.3;
  }).length;
  process.stdout.write(`${JSON.stringify(options)}: ${found} of ${seeds.length} in 0.3 s\n`);
  return found;
}

describe('speech over the first answer after a start', () => {
  it.each([-20, -26, -32])('is detected within 0.3 s with headphones, at %d dBFS', (voiceDb) => {
    expect(noticed({ echoDb: -70, voiceDb })).toBeGreaterThanOrEqual(11);
  });

  it.each([
    ['that they drown', -36, -18, 11],
    ['that is as loud as they are', -26, -26, 11],
    ['that is 6 dB louder', -20, -26, 5],
  ] as const)('is noticed beside a loudspeaker %s', (_what, echoDb, voiceDb, of12) => {
    expect(noticed({ echoDb, voiceDb })).toBeGreaterThanOrEqual(of12);
  });
});

it.each([
  { delayMs: 25, echoDb: -20 },
  { delayMs: 60, echoDb: -26 },
  { delayMs: 150, echoDb: -24, reverbSeconds: 0.45 },
  { delayMs: 60, echoDb: -22, drive: 3 },
])('the echo of a first answer does not lower it: %o', (options) => {
  expect(seeds.filter((seed) => loweredAt({ seed, ...options }) < Infinity)).toEqual([]);
});
