import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serializeTalk } from '../../../../../electron/recordings/history/talk-source.ts';
import { decodeWav } from '../../../../../shared/audio/wav.ts';
import { exampleTape, openedExport } from './export-harness.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-exporter-'));
});
afterEach(() => rm(folder, { recursive: true }));

type Kind = Parameters<Awaited<ReturnType<typeof openedExport>>['exporter']['write']>[0];

async function made(path: string, as: Kind, mix = false) {
  const { exporter, release } = await openedExport(path);
  const file = join(folder, `out.${as}`);
  const written = await exporter.write(as, file, mix);
  await release();
  return { written, file };
}
const textOf = async (path: string, as: Kind) => readFile((await made(path, as)).file, 'utf8');
const rms = (samples: Float32Array): number =>
  Math.sqrt(samples.reduce((sum, one) => sum + one * one, 0) / samples.length);

describe('the tape exporter', () => {
  it('exports both sides with times as Markdown, text and JSON with equal content', async () => {
    const json = JSON.parse(await textOf(exampleTape('voice'), 'json')) as {
      lines: { at: number; by: string; text?: string; unheard: string }[];
    };
    const answers = json.lines.filter(({ by }) => by === 'parley');
    const own = json.lines.filter(({ by }) => by === 'person');
    expect(answers.length).toBeGreaterThan(1);
    expect(own.length).toBeGreaterThan(1);
    expect(own[0]).not.toHaveProperty('text');
    expect(own[0]?.at).toBeGreaterThan(400);
    expect(own[0]?.at).toBeLessThan(1200);
    expect(json.lines.map(({ at }) => at)).toEqual(
      json.lines.map(({ at }) => at).toSorted((a, b) => a - b),
    );
    const cut = answers.find(({ unheard }) => unheard !== '');
    const md = await textOf(exampleTape('voice'), 'md');
    const txt = await textOf(exampleTape('voice'), 'txt');
    for (const { text = '' } of answers) expect(txt).toContain(text.trim());
    expect(md).toContain(`~~${cut?.unheard.trim()}~~`);
    expect(txt).toContain('(spoken, not written down)');
  });

  it('exports captions on the timeline of its sound', async () => {
    const srt = await textOf(exampleTape('voice'), 'srt');
    const vtt = await textOf(exampleTape('voice'), 'vtt');
    expect(vtt.startsWith('WEBVTT\n')).toBe(true);
    const json = JSON.parse(await textOf(exampleTape('voice'), 'json')) as {
      lines: { at: number; by: string }[];
    };
    const first = json.lines.find(({ by }) => by === 'parley')?.at ?? 0;
    const [, minutes = '', seconds = '', ms = ''] = /00:(\d+):(\d+),(\d+)/u.exec(srt) ?? [];
    const begins = Number(minutes) * 60_000 + Number(seconds) * 1000 + Number(ms);
    expect(Math.abs(begins - first)).toBeLessThan(200);
  });

  it('exports the user left and the answer right, or both mixed', async () => {
    const stereo = decodeWav(await readFile((await made(exampleTape('voice'), 'wav')).file));
    const mono = decodeWav(await readFile((await made(exampleTape('voice'), 'wav', true)).file));
    if (!stereo.ok || !mono.ok) throw new Error('It is not a WAV.');
    expect([stereo.value.channels, mono.value.channels]).toEqual([2, 1]);
    const { samples, rate } = stereo.value;
    const side = (which: number, from: number, to: number) =>
      samples.filter((_, n) => n % 2 === which).slice((from * rate) / 1000, (to * rate) / 1000);
    // The user's first sentence, before any answer.
    expect(rms(side(0, 700, 1500))).toBeGreaterThan(0.01);
    expect(rms(side(1, 700, 1500))).toBeLessThan(0.001);
    expect(mono.value.samples.length).toBe(samples.length / 2);
    for (const n of [rate, 6 * rate, 10 * rate])
      expect(mono.value.samples[n]).toBeCloseTo(
        (samples[2 * n] ?? 1) + (samples[2 * n + 1] ?? 1),
        3,
      );
  });

  it('exports a zip that other programs read', async (context) => {
    if (spawnSync('unzip', ['-v']).error !== undefined) context.skip('unzip is not installed');
    const { written, file } = await made(exampleTape('voice'), 'zip');
    expect(written.ok).toBe(true);
    const said = execFileSync('unzip', ['-t', file], { encoding: 'utf8' });
    for (const name of ['talk.md', 'talk.txt', 'talk.json', 'talk.vtt', 'talk.srt', 'talk.wav'])
      expect(said).toContain(name);
  });

  it('exports a video with pictures, voices and captions, and FLAC', async (context) => {
    if (spawnSync('ffprobe', ['-version']).error !== undefined)
      context.skip('ffmpeg is not installed');
    for (const tape of ['video', 'voice'] as const) {
      const { written, file } = await made(exampleTape(tape), 'mp4');
      expect(written).toEqual({ ok: true, value: undefined });
      const probe = ['-v', 'error', '-show_entries', 'stream=codec_name,duration:format=duration'];
      const said = execFileSync('ffprobe', [...probe, '-of', 'csv', file], { encoding: 'utf8' });
      for (const codec of ['h264', 'aac', 'mov_text']) expect(said).toContain(codec);
      // The last picture stays until the voices end.
      for (const part of ['format', 'stream,h264', 'stream,aac'])
        expect(Number(said.split(`${part},`)[1]?.split('\n')[0]), part).toBeGreaterThan(14);
    }
    const { file } = await made(exampleTape('voice'), 'flac');
    expect((await readFile(file)).subarray(0, 4).toString()).toBe('fLaC');
  });

  it.each(['wav', 'flac', 'mp4'] as const)('lets only this account read %s', async (kind) => {
    const { written, file } = await made(exampleTape('voice'), kind);
    if (!written.ok) expect(written.error.code).toBe('ffmpegMissing');
    else expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('names the missing ffmpeg and exports the other formats', async () => {
    const path = process.env['PATH'];
    process.env['PATH'] = folder;
    try {
      const { written } = await made(exampleTape('voice'), 'mp4');
      expect(written).toMatchObject({ ok: false, error: { code: 'ffmpegMissing' } });
      expect(await readdir(folder)).toEqual([]);
      expect((await made(exampleTape('voice'), 'zip')).written.ok).toBe(true);
    } finally {
      process.env['PATH'] = path;
    }
  });
});

describe('a talk record without a tape', () => {
  it('exports words and captions but no sound', async () => {
    const talk = join(folder, 'talks', '2026');
    await mkdir(talk, { recursive: true });
    const record = serializeTalk({
      title: '',
      pinned: false,
      mode: 'audio',
      server: { name: 'Home' },
      begunAt: 0,
      savedAt: 9000,
      turns: [
        { by: 'person', at: 500, text: 'How *are* you?', heard: 14, transcribed: 'byMachine' },
        { by: 'parley', at: 2000, text: 'I am well, thank you.', heard: 9, cutFrom: 9 },
      ],
      events: [],
      pictures: [],
    });
    await writeFile(join(talk, 'talk.json'), record);
    const md = await textOf(talk, 'md');
    expect(md).toContain(String.raw`**0:00 You (written down by a machine):** How \*are\* you?`);
    expect(md).toContain('**0:02 Parley:** I am well ~~, thank you.~~');
    const srt = await textOf(talk, 'srt');
    expect(srt).toContain('00:00:02,000 --> ');
    expect(srt).not.toContain('thank');
    const { written } = await made(talk, 'wav');
    expect(written).toMatchObject({ ok: false, error: { code: 'tapeExportTextOnly' } });
  });
});
