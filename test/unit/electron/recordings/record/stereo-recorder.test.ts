import { describe, expect, it } from 'vitest';
import { SincResampler } from '../../../../../electron/audio/dsp/sinc-resampler.ts';
import { StereoRecorder } from '../../../../../electron/recordings/record/stereo-recorder.ts';
import { openWavWriter } from '../../../../../electron/recordings/tape/tape.ts';
import { decodeWav } from '../../../../../shared/audio/wav.ts';
import { inputRate, outputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeFiles } from '../../../../fakes/fake-files.ts';

async function openStereo(maxSeconds?: number) {
  const files = new FakeFiles();
  const clock = new FakeClock();
  files.putFolder('/t');
  const file = await files.create('/t/both.wav');
  if (!file.ok) throw new Error(file.error.code);
  const wav = openWavWriter(file.value, { rate: outputRate, channels: 2, coding: 'pcm16' });
  const upsampler = new SincResampler(inputRate, outputRate);
  const both = new StereoRecorder(wav, clock, upsampler, maxSeconds);
  const read = () => {
    const wav = decodeWav(files.bytes('/t/both.wav'));
    if (!wav.ok) throw new Error(wav.error.code);
    const { rate, channels, samples } = wav.value;
    const channel = (which: 0 | 1) => samples.filter((_, place) => place % 2 === which);
    return { rate, channels, left: channel(0), right: channel(1) };
  };
  return { files, clock, both, read };
}

const tone = (samples: number, level = 0.5) => new Float32Array(samples).fill(level);

function findSounds(samples: Float32Array): readonly [from: number, to: number] {
  const loud = (sample: number) => Math.abs(sample) > 0.25;
  const ms = (place: number) => Math.round((place * 1000) / outputRate);
  return [ms(samples.findIndex(loud)), ms(samples.findLastIndex(loud) + 1)];
}

describe('the stereo file of a talk', () => {
  it('has the user on the left and Parley on the right, at their real times', async () => {
    const { clock, both, read } = await openStereo();
    clock.advance(1100);
    both.addSound('you', tone(1600));
    clock.advance(1000);
    both.addSound('parley', tone(2400));
    clock.advance(1000);
    both.addSound('you', tone(1600));
    expect(await both.finish()).toMatchObject({ ok: true });
    const { rate, channels, left, right } = read();
    expect({ rate, channels }).toEqual({ rate: 24_000, channels: 2 });
    expect(findSounds(right)).toEqual([2000, 2100]);
    // The upsampler delays sound by a few milliseconds.
    expect(findSounds(left.subarray(0, outputRate * 2))).toEqual([1000, expect.closeTo(1100, -1)]);
    expect(findSounds(left.subarray(outputRate * 2))).toEqual([1000, expect.closeTo(1100, -1)]);
  });

  it('has no seams between unevenly arriving blocks', async () => {
    const { clock, both, read } = await openStereo();
    const block = (which: number, rate: number) =>
      Float32Array.from({ length: rate / 50 }, (_, n) =>
        Math.sin((2 * Math.PI * 200 * (which * (rate / 50) + n)) / rate),
      );
    for (let which = 0; which < 150; which += 1) {
      clock.advance(which % 2 === 0 ? 5 : 35);
      both.addSound('you', block(which, inputRate));
      both.addSound('parley', block(which, outputRate));
    }
    await both.finish();
    const { left, right } = read();
    for (const side of [left, right]) {
      // The outer edges are not seams.
      const inner = side.subarray(2400, -2400);
      let steepest = 0;
      for (let n = 1; n < inner.length; n += 1)
        steepest = Math.max(steepest, Math.abs((inner[n] ?? 0) - (inner[n - 1] ?? 0)));
      expect(steepest).toBeCloseTo((2 * Math.PI * 200) / outputRate, 2);
      expect(inner.length).toBeGreaterThan(outputRate * 2.7);
    }
  });

  it('does not shift an answer by the silence reported before it', async () => {
    const { clock, both, read } = await openStereo();
    for (let block = 0; block < 250; block += 1) {
      clock.advance(20);
      both.addSound('you', tone(320));
    }
    // A jitter buffer reports five seconds of silence as many blocks at one moment.
    for (let left = 5 * outputRate; left > 0; left -= 4096)
      both.addSound('parley', tone(Math.min(4096, left), 0));
    clock.advance(100);
    both.addSound('parley', tone(2400));
    for (let block = 0; block < 50; block += 1) {
      clock.advance(20);
      both.addSound('you', tone(320));
    }
    await both.finish();
    const { left, right } = read();
    expect(findSounds(right)).toEqual([5000, 5100]);
    expect(left.subarray(outputRate * 5.5, outputRate * 6).every((sample) => sample > 0.4)).toBe(
      true,
    );
  });

  it('replaces the silence before speech with the pre-roll that arrives with it', async () => {
    const { clock, both, read } = await openStereo();
    for (let ms = 0; ms < 2000; ms += 10) {
      clock.advance(10);
      both.addSound('you', new Float32Array(160));
    }
    clock.advance(10);
    both.addSound('you', tone(8160));
    clock.advance(10);
    both.addSound('you', tone(160));
    clock.advance(2000);
    both.addSound('parley', tone(240));
    await both.finish();
    expect(findSounds(read().left)).toEqual([1500, expect.closeTo(2020, -1)]);
  });

  it('shortens long silence to one minute', async () => {
    const { clock, both, read } = await openStereo();
    clock.advance(1000);
    both.addSound('parley', tone(2400));
    clock.advance(3_600_000);
    both.addSound('you', tone(1600));
    both.addSound('parley', tone(2400));
    await both.finish();
    const { left, right } = read();
    expect([findSounds(left)[1], findSounds(right)[1]]).toEqual([
      expect.closeTo(61_000, -2),
      61_000,
    ]);
  });

  it('ends with the last sound, not with the silence that the speaker reports later', async () => {
    const { clock, both, read } = await openStereo();
    clock.advance(1100);
    both.addSound('you', tone(1600));
    clock.advance(90_000);
    both.addSound('parley', tone(2400, 0));
    await both.finish();
    expect(read().left.length / outputRate).toBeCloseTo(1.1, 1);
  });

  it('stops before the size limit of WAV', async () => {
    const { clock, both, read } = await openStereo(3);
    for (let second = 1; second <= 10; second += 1) {
      clock.advance(1000);
      both.addSound('parley', tone(240));
    }
    await both.finish();
    expect(read().right.length).toBe(3 * outputRate);
  });
});
