import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DemoClip, DemoSpeech } from '../../electron/gateway/gateway-options.ts';
import { loadDemoSpeech } from '../../electron/platform/files/demo-speech.ts';
import { encodeWav } from '../../shared/audio/wav.ts';
import { describeAppError } from '../../shared/i18n/en/errors.ts';
import { fakeSpeech } from '../fakes/fake-speech.ts';
import { unwrap } from '../fakes/unwrap.ts';

/** The voice fades this far beyond the end of a word, in seconds. */
const fading = 0.02;

const shipped = join(import.meta.dirname, '..', '..', 'resources', 'speech');

async function loadShipped(): Promise<DemoSpeech> {
  return unwrap(await loadDemoSpeech(shipped));
}

describe.each([
  { name: 'fake', load: () => Promise.resolve(fakeSpeech) },
  { name: 'shipped', load: loadShipped },
])('the $name speech', ({ load }) => {
  it('has the words of its text in order, within the sound', async () => {
    const { clips } = await load();
    for (const { text, words, audio } of clips) {
      expect(words.map((word) => word.text).join(' ')).toBe(text);
      let before = 0;
      for (const { start, end } of words) {
        expect(start).toBeGreaterThanOrEqual(before);
        expect(end).toBeGreaterThan(start);
        before = end;
      }
      expect(before).toBeLessThan(audio.length / 24_000 + 0.001);
    }
  });

  it('has every sentence of the persona', async () => {
    const { clips } = await load();
    expect(clips.map(({ id }) => id).toSorted()).toEqual(
      'again connect hear hello interrupt loudness only recorded see sorry turns written'.split(
        ' ',
      ),
    );
  });
});

describe('the shipped speech', () => {
  it('has sound exactly where its words are', async () => {
    const { clips } = await loadShipped();
    for (const clip of clips) {
      const outside = clip.audio.slice();
      for (const { start, end } of clip.words)
        outside.fill(0, ...toSampleRange(start, end + fading));
      for (const { start, end } of clip.words) {
        expect(level(clip.audio.subarray(...toSampleRange(start, end)))).toBeGreaterThan(0.05);
      }
      expect(level(outside)).toBeLessThan(0.002);
      expect(loudest(clip)).toBeLessThan(1);
    }
  });
});

describe('reading the speech', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-speech-test-'));
    await cp(shipped, folder, { recursive: true });
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  it.each([
    ['index.json', '{', /cannot be read/],
    ['index.json', '{"clips":[{"id":3}]}', /index\.json does not list clips/],
    ['hello.wav', 'no wav', /hello\.wav is not a 24 kHz mono 16-bit WAV/],
    [
      'hello.wav',
      encodeWav(new Float32Array(9), { rate: 16_000, channels: 1, coding: 'pcm16' }),
      /hello\.wav is not a 24 kHz/,
    ],
    [
      'hello.wav',
      encodeWav(new Float32Array(9), { rate: 24_000, channels: 1, coding: 'float32' }),
      /hello\.wav is not a 24 kHz/,
    ],
    [
      'hello.wav',
      encodeWav(new Float32Array(8), { rate: 24_000, channels: 2, coding: 'pcm16' }),
      /hello\.wav is not a 24 kHz/,
    ],
  ])('reports what is wrong with %s', async (file, content, problem) => {
    await writeFile(join(folder, file), content);
    const loaded = await loadDemoSpeech(folder);
    expect(loaded).toMatchObject({ ok: false });
    expect(loaded.ok || describeAppError(loaded.error)).toMatch(problem);
  });

  it('reports missing recordings', async () => {
    const loaded = await loadDemoSpeech(join(folder, 'nowhere'));
    expect(loaded.ok || describeAppError(loaded.error)).toMatch(
      /install Parley again.*nowhere: ENOENT/,
    );
  });
});

function toSampleRange(start: number, end: number): [number, number] {
  return [Math.round(start * 24_000), Math.round(end * 24_000)];
}

function level(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

function loudest({ audio }: DemoClip): number {
  return audio.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
}
