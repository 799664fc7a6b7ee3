import { beforeEach, describe, expect, it } from 'vitest';
import {
  openWavWriter,
  type WavWriterOptions,
} from '../../../../../electron/recordings/tape/tape-sound.ts';
import { decodeWav } from '../../../../../shared/audio/wav.ts';
import { failure } from '../../../../../shared/errors/app-error.ts';
import { FakeFiles } from '../../../../fakes/fake-files.ts';

let files: FakeFiles;

beforeEach(() => {
  files = new FakeFiles();
  files.putFolder('/d');
});

async function open(coding: WavWriterOptions['coding']) {
  const file = await files.create('/d/a.wav');
  if (!file.ok) throw new Error(file.error.code);
  return openWavWriter(file.value, { rate: 1000, coding });
}

const onDisk = () => {
  const wav = decodeWav(files.bytes('/d/a.wav'));
  if (!wav.ok) throw new Error(wav.error.code);
  return wav.value;
};

describe('a growing WAV file', () => {
  it('keeps floats exactly', async () => {
    const writer = await open('float32');
    const samples = new Float32Array([0.1, -1.5, 1e-9]);
    writer.write(samples);
    samples.fill(0);
    expect(await writer.finish()).toEqual({ ok: true, value: undefined });
    expect(onDisk()).toEqual({
      rate: 1000,
      channels: 1,
      samples: new Float32Array([0.1, -1.5, 1e-9]),
    });
  });

  it('can be played while it grows, up to one second behind', async () => {
    const writer = await open('pcm16');
    writer.write(new Float32Array(700).fill(0.5));
    writer.write(new Float32Array(700).fill(0.5));
    expect(onDisk().samples.length).toBe(1400);
    writer.write(new Float32Array(999).fill(0.25));
    expect(onDisk().samples.length).toBe(1400);
    await writer.finish();
    expect(onDisk().samples.length).toBe(2399);
    expect(onDisk().samples.at(-1)).toBe(0.25);
    expect(writer.samplesWritten).toBe(2399);
  });

  it('reports a full disk at the end', async () => {
    const writer = await open('pcm16');
    files.fill(10);
    writer.write(new Float32Array(100));
    expect(await writer.finish()).toEqual(failure('diskFull', { path: '/d/a.wav' }));
  });
});
