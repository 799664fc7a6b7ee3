import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { readWavHeader } from '../../shared/audio/wav.ts';
import { median } from '../../shared/statistics.ts';
import { runCli, startCli } from '../fakes/run-cli.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { eventsOf, fileTalk, samplesOf } from './cli-talk.ts';

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

  it('sends a frame with each append, and interrupts once', async () => {
    const frame = ['--frame', 'docs/screenshot.png'];
    const video = ['talk', '--mode', 'video', '--input', 'resources/speech/see.wav', ...frame];
    const options = [
      '--interrupt-at',
      '5.6',
      '--max-seconds',
      '9',
      '--json',
      '--dialect',
      'unified',
    ];
    const { code, out } = await runCli([...video, ...options]);
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

  it('ends the session on Ctrl-C and keeps the answer so far', async () => {
    const at = workFolder();
    const running = startCli([...fileTalk, '--json', '--output', at('o.wav')]);
    await running.waitForOutput(/"event":"audio"/);
    running.child.kill('SIGINT');
    const { code, out, err } = await running.ended;
    expect(code).toBe(0);
    expect(eventsOf(out).at(-1)).toMatchObject({ event: 'closed', by: 'client' });
    expect(err).toBe('Ending the session; Ctrl-C again closes the connection at once.\n');
    expect(existsSync(at('o.wav'))).toBe(true);
  });
});

describe('parley gateway', () => {
  it('serves chat until Ctrl-C', async () => {
    const gateway = startCli(['gateway', '--port', '0', '--manners', 'documented', '--json']);
    const [, url = ''] = await gateway.waitForOutput(/"url":"(ws:[^"]+)"/);
    const ask = ['chat', '-', '--url', url];
    const answer = await runCli(ask, 'Reply with exactly: one two');
    expect(answer).toEqual({ code: 0, out: 'one two\n', err: '' });
    gateway.child.kill('SIGINT');
    expect(await gateway.ended).toMatchObject({ code: 0, err: '' });
  });

  it('serves wss with its own certificate and records each session', async () => {
    const folder = workFolder()('sessions');
    const gateway = startCli([
      'gateway',
      '--port',
      '0',
      '--tls',
      '--record',
      folder,
      '--context',
      '500',
      '--json',
    ]);
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

  it('reports a port in use', async () => {
    const gateway = startCli(['gateway', '--port', '0']);
    const [, port = ''] = await gateway.waitForOutput(/127\.0\.0\.1:(\d+)/);
    const second = await runCli(['gateway', '--port', port]);
    expect(second).toMatchObject({ code: 1, out: '' });
    expect(second.err.trimEnd().split('\n')).toHaveLength(1);
    gateway.child.kill('SIGINT');
    await gateway.ended;
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

  it('sends pictures', async () => {
    const { code, out } = await runCli(['chat', 'What is it?', '--image', 'docs/screenshot.png']);
    expect({ code, size: /\d+ (by|×|x) \d+/.test(out) }).toEqual({ code: 0, size: true });
  });
});
