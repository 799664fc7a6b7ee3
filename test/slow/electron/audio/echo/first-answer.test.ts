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
/** When the user begins to speak. It varies, so that it meets different syllables of the answer. */
const personAt = (seed: number): number => 0.85 + (seed % 4) * 0.1;

/** When the first answer is ducked, in seconds; infinity if it is not. */
function duckedAt(options: EchoRoomOptions): number {
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

/** Counts the rooms, of twelve, that detect a user within 0.3 s. The user begins 0.35 to 0.65 s into the answer. */
function countDetected(options: Omit<EchoRoomOptions, 'seed'>): number {
  const count = seeds.filter((seed) => {
    const at = personAt(seed);
    const after = duckedAt({ seed, speaks: [[at, seconds]], ...options }) - at;
    return after >= 0 && after <= 0.3;
  }).length;
  process.stdout.write(`${JSON.stringify(options)}: ${count} of ${seeds.length} in 0.3 s\n`);
  return count;
}

describe('speech over the first answer after a start', () => {
  // Headphones give an echo of -70 dBFS.
  it.each([
    [-20, -70, 11],
    [-26, -70, 11],
    [-32, -70, 11],
    [-18, -36, 11],
    [-26, -26, 11],
    [-26, -20, 5],
  ])(
    'is detected within 0.3 s at %i dBFS over an echo of %i dBFS, in at least %i of 12 rooms',
    (voiceDb, echoDb, rooms) => {
      expect(countDetected({ echoDb, voiceDb })).toBeGreaterThanOrEqual(rooms);
    },
  );
});

it.each([
  { delayMs: 25, echoDb: -20 },
  { delayMs: 60, echoDb: -26 },
  { delayMs: 150, echoDb: -24, reverbSeconds: 0.45 },
  { delayMs: 60, echoDb: -22, drive: 3 },
])('the echo of a first answer does not duck it: %o', (options) => {
  expect(seeds.filter((seed) => duckedAt({ seed, ...options }) < Infinity)).toEqual([]);
});
