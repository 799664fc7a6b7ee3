import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { writeFile } from 'node:fs/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readWavHeader } from '../../shared/audio/wav.ts';
import { median } from '../../shared/statistics.ts';
import { runCli, startCli } from '../fakes/run-cli.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { eventsOf, fileTalk, samplesOf } from './cli-talk.ts';
import { scriptedServer, type ScriptedServer } from '../fakes/scripted-server.ts';
import sharp from 'sharp';

// Processes start slowly on a busy machine, and talks take their time.
vi.setConfig({ testTimeout: 60_000 });

type Event = ReturnType<typeof eventsOf>[number];

describe('parley talk with a file', () => {
  it('sends in real time, plays the answer, and writes all files', async () => {
    const at = workFolder();
    const files = ['--output', at('o.wav'), '--captions', at('c.srt'), '--tape', at('tape')];
    const { code, out, err } = await runCli([...fileTalk, '--json', ...files]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const lines = eventsOf(out);
    const of = <Name extends Event['event']>(name: Name) =>
      lines.filter((line): line is Extract<Event, { event: Name }> => line.event === name);
    expect(of('state').map(({ state }) => state)).toEqual([
      'connecting',
      'configuring',
      'live',
      'closing',
      'closed',
    ]);
    expect(of('closed')).toMatchObject([{ by: 'client', reason: 'user_stop' }]);

    // Medians, because a busy machine sends single appends late, the first one too.
    const starts = of('sent').map(({ at }, count) => at - count * 1000);
    const start = median(starts);
    expect(median(starts.map((each) => Math.abs(each - start)))).toBeLessThan(100);
    expect(new Set(of('sent').map(({ samples }) => samples))).toEqual(new Set([16_000]));

    const text = of('text').map((line) => line.text);
    expect(of('caption').at(-1)).toMatchObject({ spoken: text.join('').trim(), upcoming: '' });
    expect(readFileSync(at('c.srt'), 'utf8')).toMatch(/^1\n\d\d:\d\d:\d\d,\d{3} --> /);

    const answered = samplesOf(out, 'audio');
    const wav = readFileSync(at('o.wav'));
    const head = readWavHeader(wav);
    if (!head.ok) throw new Error(head.error.code);
    expect(head.value.format).toMatchObject({ rate: 24_000, channels: 1 });
    expect(head.value.dataLength / 2).toBeGreaterThan(answered);

    const replay = ['replay', at('tape'), '--speed', 'max', '--json', '--output'];
    const once = await runCli([...replay, at('1.wav')]);
    const twice = await runCli([...replay, at('2.wav')]);
    expect(twice).toEqual(once);
    expect(readFileSync(at('2.wav')).equals(readFileSync(at('1.wav')))).toBe(true);
    const again = eventsOf(once.out).filter((line) => line.event === 'text');
    expect(again.map((line) => line.text)).toEqual(text);
  });

  it('sends a frame with each ordinary append, and interrupts once at the given time @nightly', async () => {
    const frame = ['--frame', 'resources/icons/1024x1024.png', '--dialect', 'unified', '--json'];
    const video = ['talk', '--mode', 'video', '--input', 'resources/speech/see.wav', ...frame];
    const { code, out } = await runCli([...video, '--interrupt-at', '5.6', '--max-seconds', '9']);
    expect(code).toBe(0);
    const lines = eventsOf(out);
    const sent = lines.filter((line) => line.event === 'sent');
    expect(sent.filter(({ forceListen }) => !forceListen).every(({ frames }) => frames === 1)).toBe(
      true,
    );
    expect(sent.some(({ forceListen }) => forceListen)).toBe(true);
    const flushed = lines.filter((line) => line.event === 'listen' && line.flushedSamples > 0);
    expect(flushed).toHaveLength(1);
  });
});

describe('parley gateway', () => {
  it('serves wss with its own certificate and records each session', async () => {
    const folder = workFolder()('sessions');
    const options = ['--tls', '--record', folder, '--context', '500', '--json'];
    const gateway = startCli(['gateway', '--port', '0', ...options]);
    const [, url = '', print = ''] = await gateway.waitForOutput(
      /"url":"(wss:[^"]+)","fingerprint":"([^"]+)"/,
    );
    const ask = ['chat', 'Reply with exactly: one two', '--url', url];
    const refused = await runCli(ask);
    expect(refused).toMatchObject({ code: 3, out: '' });
    expect(refused.err).toContain(print);
    const answer = await runCli([...ask, '--fingerprint', print]);
    expect(answer).toEqual({ code: 0, out: 'one two\n', err: '' });
    gateway.child.kill('SIGINT');
    expect(await gateway.ended).toMatchObject({ code: 0, err: '' });
    const files = readdirSync(folder);
    expect(files.map((name) => /-(\d+)\.ndjson$/.exec(name)?.[1])).toEqual(['1']);
  });
});

describe('parley chat', () => {
  it('writes speech to the given file', async () => {
    const at = workFolder();
    const { code, out } = await runCli(['chat', 'hello', '--no-stream', '--tts', at('a.wav')]);
    expect(code).toBe(0);
    expect(out).toMatch(/^Hello[^\n]+\n$/);
    const head = readWavHeader(readFileSync(at('a.wav')));
    expect(head).toMatchObject({ ok: true });
  });
});

describe('at the end of a command', () => {
  let server: ScriptedServer | undefined;

  afterEach(async () => {
    await server?.end();
    server = undefined;
  });

  it('a talk closes its connection at the second Ctrl-C and keeps its files', async () => {
    let goodbyes = 0;
    server = await scriptedServer({
      accepted: (socket) => {
        socket.send('{"type":"session.queue_done"}');
        socket.on('message', (data: Buffer) => {
          const text = data.toString();
          if (text.includes('session.init')) socket.send('{"type":"session.created"}');
          // The server never answers the close, so Parley waits.
          if (text.includes('session.close')) goodbyes += 1;
        });
      },
    });
    const at = workFolder();
    const url = `ws://127.0.0.1:${server.port}`;
    const running = startCli([...fileTalk, '--json', '--url', url, '--output', at('o.wav')]);
    await running.waitForOutput(/"event":"sent"/);
    running.child.kill('SIGINT');
    await expect.poll(() => goodbyes).toBe(1);
    running.child.kill('SIGINT');
    const { code, out, err } = await running.ended;
    expect(code).toBe(1);
    expect(err).toBe(
      'Ending the session; Ctrl-C again closes the connection at once.\nYou closed the connection.\n',
    );
    expect(JSON.parse(out.trim().split('\n').at(-1) ?? '')).toMatchObject({
      event: 'closed',
      reason: 'cut',
      by: 'client',
    });
    expect(existsSync(at('o.wav'))).toBe(true);
  });

  it('a killed talk loses at most the last second of its tape @nightly', async () => {
    const at = workFolder();
    const running = startCli([...fileTalk, '--json', '--chunk-ms', '250', '--tape', at('tape')]);
    await running.waitForOutput(/"event":"audio"/);
    await wait(2000);
    running.child.kill('SIGKILL');
    const killed = await running.ended;
    expect(killed.code).toBeNull();
    const replayed = await runCli(['replay', at('tape'), '--speed', 'max', '--json']);
    expect(replayed.err).not.toContain('cannot be played');
    for (const [event, rate] of [
      ['sent', 16_000],
      ['audio', 24_000],
    ] as const) {
      const heard = samplesOf(killed.out, event);
      expect(heard).toBeGreaterThan(rate);
      expect(heard - samplesOf(replayed.out, event)).toBeLessThanOrEqual(rate);
    }
  });

  const cli = resolve(import.meta.dirname, '../../out/main/cli.js');

  it('a talk ends without an error when the reader of its events is gone', async () => {
    const child = spawn(process.execPath, [cli, ...fileTalk, '--json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let err = '';
    child.stderr.on('data', (data: Buffer) => (err += data.toString()));
    const exit = once(child, 'exit');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code, signal] = (await exit) as [number | null, string | null];
    expect(signal).toBeNull();
    expect(code).toBeLessThanOrEqual(1);
    expect(err).not.toMatch(/EPIPE|fault|^\s+at /m);
  });

  /** Answers a chat turn with these frames. */
  async function serve(frames: readonly object[]): Promise<string> {
    server = await scriptedServer({
      accepted: (socket) => {
        const send = (frame: object): void => {
          socket.send(JSON.stringify(frame));
        };
        send({ type: 'session.queue_done' });
        socket.on('message', (data: Buffer) => {
          const { type } = JSON.parse(data.toString()) as { readonly type: string };
          if (type === 'session.init') send({ type: 'session.created' });
          else if (type === 'session.close') socket.close(1000, 'turn_done');
          else for (const frame of frames) send(frame);
        });
      },
    });
    return `ws://127.0.0.1:${server.port}`;
  }

  const failure = {
    type: 'error',
    error: { code: 'inference_error', message: 'out of luck', type: 'server_error' },
  };
  const piece = { type: 'response.output.delta', kind: 'text', text: 'Half an' };

  it('a chat turn that ends in an error exits with 1 but keeps its partial answer @nightly', async () => {
    const { code, out, err } = await runCli(['chat', 'hi', '--url', await serve([piece, failure])]);
    expect({ code, out }).toEqual({ code: 1, out: 'Half an\n' });
    expect(err).toMatch(/^[^\n]*out of luck[^\n]*\n$/);
  });

  const shortTalk = [...fileTalk, '--max-seconds', '3'];

  it('a talk with only errors fails, and a talk that also gets an answer succeeds @nightly', async () => {
    const { code, out, err } = await runCli([...shortTalk, '--url', await serve([failure])]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('out of luck');
    await server?.end();
    const spoken = { type: 'response.output.delta', kind: 'text', text: 'Here.' };
    const url = await serve([failure, spoken]);
    expect((await runCli([...shortTalk, '--url', url])).code).toBe(0);
  });
});

/** Runs a command, and expects exit code 2 and one sentence on stderr. */
async function expectRefusal(args: readonly string[], sentence: RegExp): Promise<void> {
  const { code, out, err } = await runCli(args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(sentence);
  expect(err.trimEnd().split('\n')).toHaveLength(1);
  expect(err).not.toContain('    at ');
}

describe('an unusable WAV file', () => {
  it('is refused, also as a voice @nightly', async () => {
    const at = workFolder();
    writeFileSync(at('in.wav'), 'This is what I wanted to say.\n');
    const sentence = /^\S+in\.wav: This .+[.)]$/m;
    await expectRefusal(['talk', '--mode', 'audio', '--input', at('in.wav')], sentence);
    await expectRefusal([...fileTalk, '--voice', at('in.wav')], sentence);
  });

  it('is refused before it is read if it is huge @nightly', async () => {
    const at = workFolder();
    writeFileSync(at('in.wav'), '');
    truncateSync(at('in.wav'), 3_000_000_000);
    const sentence = /^\S+in\.wav is too large: it may have \d+ MB\.$/m;
    await expectRefusal(['talk', '--mode', 'audio', '--input', at('in.wav')], sentence);
  });
});

it('a picture of 100 megapixels is refused, for chat and for video @nightly', async () => {
  const at = workFolder();
  // One colour makes a small PNG.
  const create = { width: 10_000, height: 10_000, channels: 3, background: '#fff' } as const;
  await sharp({ create }).png().toFile(at('a.png'));
  const sentence = /^\S+a\.png: This .+\.$/m;
  await expectRefusal(['chat', 'What is this?', '--image', at('a.png')], sentence);
  const talk = ['talk', '--mode', 'video', '--input', 'resources/speech/see.wav'];
  await expectRefusal([...talk, '--frame', at('a.png')], sentence);
});

describe('an unwritable path', () => {
  it.each([
    [[...fileTalk, '--captions', '/no/such/folder/a.vtt']],
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
