import { expect, it } from 'vitest';
import { VoiceDetector } from '../../../electron/audio/detection/voice-detector.ts';
import { CaptureEnhancement } from '../../../electron/audio/enhance/capture-enhancement.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { RoomSound } from '../../bench/conversation/voice.ts';

const blockMs = 20;
const loud = 0.02;
/** Pre-roll: sound from before the detection that is sent with the speech. */
const preRollMs = 320;

it('a voice in the room is detected within half the pre-roll, three times in a row', () => {
  const room = new RoomSound();
  const enhancement = new CaptureEnhancement(() => ({ noise: 'off', level: 'off' }));
  const detector = new VoiceDetector(inputRate);
  for (let time = 0; time < 3; time += 1) {
    let [loudMs, knownMs] = [Infinity, Infinity];
    for (let ms = -1000; ms < 2000; ms += blockMs) {
      if (ms === 0) room.speak();
      const block = room.next((inputRate * blockMs) / 1000);
      if (block.some((sample) => Math.abs(sample) > loud)) loudMs = Math.min(loudMs, ms);
      enhancement.process(block);
      detector.push(block, enhancement.likelihood);
      if (detector.isSpeaking) knownMs = Math.min(knownMs, ms);
    }
    expect(loudMs).toBeLessThan(200);
    expect(knownMs).toBeGreaterThanOrEqual(loudMs - blockMs);
    expect(knownMs - loudMs).toBeLessThan(preRollMs / 2);
    expect(detector.isSpeaking).toBe(false);
  }
});
