import { describe, expect, it } from 'vitest';
import { CapturePipeline } from '../../../../../electron/audio/capture/capture-pipeline.ts';
import {
  judgeOwnSound,
  type OwnSound,
} from '../../../../../electron/audio/devices/sound-controller.ts';
import { CaptureEnhancement } from '../../../../../electron/audio/enhance/capture-enhancement.ts';
import { echoRoom } from '../../../../fakes/echo-room.ts';

const { voice } = echoRoom({ seed: 1, seconds: 5, echoDb: -200, speaks: [[0, 5]] });

/** A voice at the given levels, as captured and as sent. */
function said(capturedDb: number, sentDb = capturedDb): OwnSound {
  const louder = (db: number): Float32Array =>
    voice.map((sample) => Math.max(-1, Math.min(1, sample * 10 ** (db / 20))));
  return { captured: louder(capturedDb), sent: louder(sentDb) };
}

describe('judgeOwnSound', () => {
  it('distinguishes loud enough, too quiet and absent', () => {
    expect(judgeOwnSound(said(0))).toBe('good');
    expect(judgeOwnSound(said(-18))).toBe('quiet');
    expect(judgeOwnSound(said(-45))).toBe('unheard');
    expect(judgeOwnSound({ captured: new Float32Array(), sent: new Float32Array() })).toBe(
      'unheard',
    );
  });

  it('accepts quiet sound that is sent louder', () => {
    expect(judgeOwnSound(said(-18, 0))).toBe('good');
  });

  it('detects clipping by the microphone and by too high a volume', () => {
    expect(judgeOwnSound(said(30, 0))).toBe('clipped');
    expect(judgeOwnSound(said(0, 30))).toBe('clipped');
  });
});

describe('the capture callback', () => {
  it('receives the unprocessed sound in full', () => {
    const captured: number[] = [];
    const sent: number[] = [];
    const pipeline = new CapturePipeline(
      { pushAudio: (block) => void sent.push(...block) },
      { gain: () => 0.5, onCaptured: (block) => void captured.push(...block) },
      undefined,
      new CaptureEnhancement(() => ({ noise: 'strong', level: 'off' })),
    );
    const noisy = voice.map((sample, n) => (n % 7 === 0 ? Number.NaN : sample + 0.01));
    for (let at = 0; at < 32_000; at += 320) pipeline.push(noisy.slice(at, at + 320), at / 16);
    pipeline.pushSilence(320);
    expect(captured).toHaveLength(32_320);
    expect(sent).toHaveLength(32_320);
    // Invalid samples become silence everywhere.
    const whole = (sample: number, n: number): boolean =>
      sample === (n >= 32_000 || n % 7 === 0 ? 0 : noisy[n]);
    expect(captured.every(whole)).toBe(true);
    expect(sent.slice(0, 32_000).every(whole)).toBe(false);
  });
});
