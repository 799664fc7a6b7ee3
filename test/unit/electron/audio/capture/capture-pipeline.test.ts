import { describe, expect, it } from 'vitest';
import {
  CapturePipeline,
  type CapturePipelineOptions,
  CaptureStream,
} from '../../../../../electron/audio/capture/microphone.ts';
import type { MicrophoneStream } from '../../../../../electron/audio/devices/sound-driver.ts';
import type { LevelReading } from '../../../../../electron/audio/dsp/loudness.ts';
import { CaptureEnhancement } from '../../../../../electron/audio/enhance/capture-enhancement.ts';
import { inputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { fakeBuiltIn } from '../../../../fakes/fake-sound-driver.ts';
import { powerDb, spokenScene } from '../../../../fakes/spoken-scene.ts';

function pipeline(options: Partial<CapturePipelineOptions> = {}) {
  const heard: Float32Array[] = [];
  const sink = { pushAudio: (block: Float32Array) => void heard.push(block) };
  return { heard, line: new CapturePipeline(sink, { gain: () => 1, ...options }) };
}

/** The last `count` samples of the blocks. */
function joinedTail(blocks: readonly Float32Array[], count: number): Float32Array {
  return Float32Array.from(blocks.flatMap((block) => [...block]).slice(-count));
}

describe('the capture pipeline', () => {
  it('replaces invalid samples with silence and counts them before any other stage', () => {
    const { line, heard } = pipeline();
    line.push(new Float32Array([1, Number.NaN, -Infinity]), 5);
    line.push(new Float32Array([Number.NaN]), 5.2);
    expect(heard).toEqual([new Float32Array([1, 0, 0]), new Float32Array([0])]);
    expect(line.repaired).toBe(3);
  });

  it('applies the current gain', () => {
    let volume = 0.5;
    const { line, heard } = pipeline({ gain: () => volume });
    line.push(new Float32Array([0.5]), 0);
    volume = 2;
    line.push(new Float32Array([0.5]), 1);
    expect(heard.map(([sample]) => sample)).toEqual([0.25, 1]);
  });

  it('measures the level of its output, silence included', () => {
    const levels: LevelReading[] = [];
    const { line, heard } = pipeline({
      gain: () => 2,
      onLevel: (level) => levels.push(level),
    });
    line.push(new Float32Array(800).fill(0.25), 0);
    line.pushSilence(800);
    expect(levels.map(({ peakDb }) => Math.round(peakDb))).toEqual([-6, -100]);
    expect(heard[1]).toEqual(new Float32Array(800));
  });

  it('delays sound by the latency of noise suppression while noise suppression is on', () => {
    let noise: 'off' | 'strong' = 'off';
    const enhancement = new CaptureEnhancement(() => ({ noise, level: 'off' }));
    const heard: Float32Array[] = [];
    const sink = { pushAudio: (block: Float32Array) => void heard.push(block) };
    const line = new CapturePipeline(sink, { gain: () => 1 }, undefined, enhancement);
    const delays = (['off', 'strong'] as const).map((choice) => {
      noise = choice;
      const click = new Float32Array(320);
      click[0] = 0.5;
      line.push(click, 0);
      const peak = (heard.at(-1) ?? click).reduce(
        (best, sample, at, all) => (Math.abs(sample) > Math.abs(all[best] ?? 0) ? at : best),
        0,
      );
      return [line.delayMs, (peak * 1000) / inputRate];
    });
    expect(delays).toEqual([
      [0, 0],
      [5, 5],
    ]);
  });

  it('amplifies a quiet voice before the user’s own volume, and detects it as a voice', () => {
    const heard: Float32Array[] = [];
    const enhancement = new CaptureEnhancement(() => ({ noise: 'off', level: 'strong' }));
    const sink = { pushAudio: (block: Float32Array) => void heard.push(block) };
    const line = new CapturePipeline(sink, { gain: () => 0.5 }, undefined, enhancement);
    expect(line.voiceLikelihood).toBe(0);
    const { sound } = spokenScene({ db: -40, pauseMs: 200, first: 1, count: 2 });
    const before = powerDb(sound.subarray(sound.length - inputRate));
    for (let from = 0; from < sound.length; from += 320)
      line.push(sound.slice(from, from + 320), 0);
    expect(powerDb(joinedTail(heard, inputRate)) - before).toBeGreaterThan(-6 + 8);
    expect(line.voiceLikelihood).toBeGreaterThan(0.3);
    line.pushSilence(320);
    expect(line.voiceLikelihood).toBe(0);
  });
});

function setUp(rate = 48_000) {
  const heard: Float32Array[] = [];
  const sink = { pushAudio: (block: Float32Array) => void heard.push(block) };
  const listener = new CaptureStream(new CapturePipeline(sink, { gain: () => 1 }));
  const state = { closed: 0 };
  const stream: MicrophoneStream = {
    device: fakeBuiltIn,
    rate,
    stats: () => ({ alive: true, captured: 0, lost: 0, repaired: 0, latencyMs: 0 }),
    close: () => {
      state.closed += 1;
      return Promise.resolve();
    },
  };
  return { listener, stream, heard, state };
}

it('a closed capture stream passes nothing, whether or not it had begun', async () => {
  for (const begins of [true, false]) {
    const { listener, stream, state, heard } = setUp();
    const attached = listener.attach(stream);
    if (begins) attached.begin();
    await attached.close();
    listener.captured(new Float32Array(960), 0);
    expect([state.closed, heard]).toEqual([1, []]);
  }
});

it('a capture stream drops blocks captured before it begins or after it stops', () => {
  const { listener, stream, heard } = setUp(16_000);
  listener.captured(new Float32Array(2), 0);
  const attached = listener.attach(stream);
  listener.captured(new Float32Array(3), 0);
  attached.begin();
  listener.captured(new Float32Array(4), 1);
  attached.stop();
  listener.captured(new Float32Array(5), 2);
  expect(heard.map(({ length }) => length)).toEqual([4]);
});
