import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { joinSamples } from '../../electron/audio/dsp/samples.ts';
import { resample } from '../../electron/audio/dsp/sinc-resampler.ts';
import type { DemoClip, DemoSpeech } from '../../electron/gateway/gateway-options.ts';
import { SentenceRecogniser } from '../../electron/gateway/sentence-recogniser.ts';
import { loadDemoSpeech } from '../../electron/platform/files/demo-speech.ts';
import { encodeWav } from '../../shared/audio/wav.ts';
import { describeAppError } from '../../shared/i18n/en/errors.ts';
import { fakeSpeech } from '../fakes/fake-speech.ts';
import { seeded } from '../fakes/seeded.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { workFolder } from '../fakes/work-folder.ts';

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

  it('has every sentence of the dialogue manager', async () => {
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

const notSpeech = /hello\.wav is not a 24 kHz mono 16-bit WAV/;
const wavOf = (format: Parameters<typeof encodeWav>[1]) => encodeWav(new Float32Array(8), format);

describe('reading the speech', () => {
  let folder: string;

  beforeEach(async () => {
    folder = workFolder()('speech');
    await cp(shipped, folder, { recursive: true });
  });

  it.each([
    ['index.json', '{', /cannot be read/],
    ['index.json', '{"clips":[{"id":3}]}', /index\.json does not list clips/],
    ['hello.wav', 'no wav', notSpeech],
    ['hello.wav', wavOf({ rate: 16_000, channels: 1, coding: 'pcm16' }), notSpeech],
    ['hello.wav', wavOf({ rate: 24_000, channels: 1, coding: 'float32' }), notSpeech],
    ['hello.wav', wavOf({ rate: 24_000, channels: 2, coding: 'pcm16' }), notSpeech],
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

let speech: DemoSpeech;
let recogniser: SentenceRecogniser;

beforeAll(async () => {
  speech = unwrap(
    await loadDemoSpeech(join(import.meta.dirname, '..', '..', 'resources', 'speech')),
  );
  recogniser = new SentenceRecogniser(speech);
});

const named = (clipId: string): DemoClip => {
  const clip = speech.clips.find(({ id }) => id === clipId);
  if (clip === undefined) throw new Error(`${clipId} is not recorded`);
  return clip;
};
const at16 = ({ audio }: DemoClip, rate = 16_000): Float32Array => resample(audio, 24_000, rate);
const quiet = (seconds: number): Float32Array => new Float32Array(Math.round(seconds * 16_000));

function changed(samples: Float32Array, gain: number, noise: number): Float32Array {
  const random = seeded(7);
  return samples.map((sample) =>
    Math.max(-1, Math.min(1, sample * gain + (random() - 0.5) * noise)),
  );
}

const wordsIn = (samples: Float32Array): Promise<string | undefined> =>
  recogniser.recognise(samples, () => Promise.resolve());

describe('the demonstration’s speech recognition', () => {
  it.each([
    ['quietly', 0.1, 0, 0.31, 16_000],
    ['so loud that it is clipped', 4, 0, 0.107, 16_000],
    ['in noise', 1, 0.06, 0.2, 16_000],
    ['by a card with a fast clock', 1, 0.01, 0, 16_080],
  ])('recognises each of its sentences, played %s', async (_name, gain, noise, lead, rate) => {
    for (const clip of speech.clips) {
      const sound = joinSamples([quiet(lead), at16(clip, rate), quiet(0.2)]);
      expect(await wordsIn(changed(sound, gain, noise))).toBe(clip.text);
    }
  });

  it('marks unknown speech with an ellipsis', async () => {
    const { text } = named('only');
    const other = at16(named('hello')).toReversed();
    const sound = joinSamples([other, quiet(0.3), at16(named('only')), quiet(0.3), other]);
    expect(await wordsIn(sound)).toBe(`… ${text} …`);
    expect(await wordsIn(joinSamples([at16(named('only')), quiet(0.5)]))).toBe(text);
  });

  it.each([
    ['silence', () => quiet(3)],
    ['noise', () => changed(quiet(3), 1, 0.5)],
    ['a tone', () => quiet(3).map((_sample, at) => 0.3 * Math.sin(at / 10))],
    ['a sentence backwards', () => at16(named('hello')).toReversed()],
    ['a sentence a third faster', () => at16(named('turns'), 12_000)],
    ['samples that are not numbers', () => quiet(2).fill(Number.NaN)],
    ['no samples', () => quiet(0)],
  ])('recognises no words in %s', async (_name, sound) => {
    expect(await wordsIn(sound())).toBeUndefined();
  });
});
