import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFiles } from '../../electron/platform/files/file-storage.ts';
import { openTapeSound } from '../../electron/recordings/tape/tape-sound.ts';
import { decodeWav, encodeSamples, encodeWav } from '../../shared/audio/wav.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { openFlacWriter } from '../fixtures/flac-writer.ts';

const files = createFiles();
const noFfmpeg = spawnSync('ffmpeg', ['-version']).error !== undefined;
let folder = '';
let speech: Float32Array = new Float32Array();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-flac-'));
  speech = unwrap(decodeWav(await readFile('resources/speech/interrupt.wav'))).samples;
});
afterAll(() => rm(folder, { recursive: true }));

describe('FLAC of older tapes and of other encoders', () => {
  it.for([1, 2])(
    'is decoded by ffmpeg sample by sample, with %i channels',
    async (channels, context) => {
      if (noFfmpeg) context.skip('ffmpeg is not installed');
      const path = join(folder, `ours-${channels}.flac`);
      const file = unwrap(await files.create(path));
      const flac = openFlacWriter(file, { rate: 24_000, channels });
      const whole = speech.subarray(0, speech.length - (speech.length % channels));
      for (let at = 0; at < whole.length; at += 24_000) flac.write(whole.subarray(at, at + 24_000));
      expect(await flac.finish()).toMatchObject({ ok: true });
      const args = ['-v', 'error', '-xerror', '-i', path, '-f', 's16le', '-'];
      const raw = execFileSync('ffmpeg', args, { maxBuffer: 1e8 });
      expect(raw.equals(encodeSamples(whole, 'pcm16'))).toBe(true);
      const query = [
        '-v',
        'error',
        '-show_entries',
        'stream=sample_rate,channels,duration',
        '-of',
        'csv',
      ];
      const description = execFileSync('ffprobe', [...query, path], { encoding: 'utf8' });
      const seconds = (whole.length / channels / 24_000).toFixed(6);
      expect(description.trim()).toBe(`stream,24000,${channels},${seconds}`);
    },
  );

  it.for(['0', '5', '12'])(
    'is decoded by Parley if ffmpeg encoded it at level %s',
    async (level, context) => {
      if (noFfmpeg) context.skip('ffmpeg is not installed');
      const wav = join(folder, 'a.wav');
      await writeFile(wav, encodeWav(speech, { rate: 24_000, channels: 1, coding: 'pcm16' }));
      const path = join(folder, `theirs-${level}.flac`);
      execFileSync('ffmpeg', ['-v', 'error', '-i', wav, '-compression_level', level, path]);
      const sound = unwrap(openTapeSound(path, 'theirs', files));
      expect(sound.samples).toBe(speech.length);
      const read = new Float32Array(sound.bytes(0, speech.length).slice().buffer);
      sound.close();
      expect(encodeSamples(read, 'pcm16')).toEqual(encodeSamples(speech, 'pcm16'));
    },
  );
});
