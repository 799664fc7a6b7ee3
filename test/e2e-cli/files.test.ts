import { truncateSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, it, vi } from 'vitest';
import { runCli } from '../fakes/run-cli.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { fileTalk } from './cli-talk.ts';

// Processes start slowly on a busy machine, and talks take their time.
vi.setConfig({ testTimeout: 60_000 });

/** Runs a command, and expects exit code 2 and one sentence on stderr. */
async function expectRefusal(args: readonly string[], sentence: RegExp): Promise<void> {
  const { code, out, err } = await runCli(args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(sentence);
  expect(err.trimEnd().split('\n')).toHaveLength(1);
  expect(err).not.toContain('    at ');
}

describe('an unusable WAV file', () => {
  const talk = (path: string) => ['talk', '--mode', 'audio', '--input', path];

  it.each([
    ['empty', ''],
    ['text', 'This is what I wanted to say.\n'],
    ['cut', 'RIFF\u0010\u0000\u0000\u0000WAVEfmt '],
  ])('(%s) is refused', async (_name, content) => {
    const at = workFolder();
    writeFileSync(at('in.wav'), content);
    await expectRefusal(talk(at('in.wav')), /^\S+in\.wav: This .+[.)]$/m);
  });

  it('(huge) is refused before it is read', async () => {
    const at = workFolder();
    writeFileSync(at('in.wav'), '');
    truncateSync(at('in.wav'), 3_000_000_000);
    await expectRefusal(talk(at('in.wav')), /^\S+in\.wav is too large: it may have \d+ MB\.$/m);
  });

  it('(a folder) is refused', async () => {
    await expectRefusal(talk(workFolder()('')), /is a folder and not a file\.$/m);
  });

  it.each(['--voice', '--tts-voice'])('is refused as %s too', async (option) => {
    const at = workFolder();
    writeFileSync(at('ref.wav'), 'no');
    const args = [...fileTalk, option, at('ref.wav')];
    await expectRefusal(args, /^\S+ref\.wav: This .+[.)]$/m);
  });
});

describe('an unusable picture', () => {
  async function broken(): Promise<Buffer> {
    const whole = await sharp({
      create: { width: 320, height: 240, channels: 3, background: '#c33' },
    })
      .jpeg()
      .toBuffer();
    return whole.subarray(0, 400);
  }

  /** 100 megapixels of one colour, which make a small PNG. */
  async function vast(): Promise<Buffer> {
    return sharp({
      create: { width: 10_000, height: 10_000, channels: 3, background: '#fff' },
    })
      .png()
      .toBuffer();
  }

  it.each([
    ['empty', async () => Promise.resolve(Buffer.alloc(0))],
    ['text called .jpg', async () => Promise.resolve(Buffer.from('not a picture at all'))],
    ['broken', broken],
    ['100 megapixels', vast],
  ])('(%s) is refused, for chat and for video', async (_name, make) => {
    const at = workFolder();
    writeFileSync(at('a.jpg'), await make());
    const sentence = /^\S+a\.jpg: This .+\.$/m;
    await expectRefusal(['chat', 'What is this?', '--image', at('a.jpg')], sentence);
    const talk = ['talk', '--mode', 'video', '--input', 'resources/speech/see.wav'];
    await expectRefusal([...talk, '--frame', at('a.jpg')], sentence);
  });
});

describe('an unwritable path', () => {
  it.each([
    [[...fileTalk, '--output', '/no/such/folder/a.wav']],
    [[...fileTalk, '--captions', '/no/such/folder/a.vtt']],
    [['chat', 'hi', '--tts', '/no/such/folder/a.wav']],
    [[...fileTalk, '--tape', 'resources/speech']],
  ])('is reported before the talk begins: %j', async (args) => {
    await expectRefusal(args, /^.+[.)]$/m);
  });
});

/** Makes a process print at its end whether it has loaded libvips. */
const libraryProbe = `
process.on('exit', () => {
  const { sharedObjects } = process.report.getReport();
  process.stderr.write('vips: ' + sharedObjects.some((name) => /vips/.test(name)) + '\\n');
});
`;

it('a command loads no libvips into the process that has the token', async () => {
  const file = workFolder();
  const [probe, picture] = [file('probe.cjs'), file('red.jpg')];
  await writeFile(probe, libraryProbe);
  await sharp({ create: { width: 64, height: 48, channels: 3, background: 'red' } })
    .jpeg()
    .toFile(picture);
  const ended = await runCli(['chat', 'What is it?', '--image', picture], '', {
    ...process.env,
    NODE_OPTIONS: `--require ${probe}`,
  });
  expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('64 by 48') as string });
  expect(ended.err).toContain('vips: false');
});
