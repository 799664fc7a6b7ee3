import { existsSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Fault } from '../../electron/gateway/gateway-options.ts';
import { readWavHeader } from '../../shared/audio/wav.ts';
import { httpProxy } from '../fakes/proxies.ts';
import { runCli } from '../fakes/run-cli.ts';
import { scriptedServer } from '../fakes/scripted-server.ts';
import { selfSigned } from '../fakes/self-signed.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { endGateways, fileTalk, serveGateway } from './cli-talk.ts';

afterEach(endGateways);

// Processes start slowly on a busy machine, and talks take their time.
vi.setConfig({ testTimeout: 60_000 });

const releases: (() => unknown)[] = [];

afterEach(async () => {
  for (const release of releases.splice(0).toReversed()) await release();
});

const token = 'secret-token-4711';

function expectOneSentence(err: string): void {
  expect(err).not.toContain('    at ');
  expect(err).not.toContain(token);
  expect(err.trim()).toMatch(/^[^\n]+$/);
}

describe('a server behind a proxy', () => {
  const login = { name: 'me', password: 'hush-4711' };

  it('is reached through the proxy that the environment names', async () => {
    const url = (await serveGateway({})).replace(/127\.0\.0\.1|localhost/u, 'server.test');
    const proxy = await httpProxy({ login });
    releases.push(proxy.end);
    const address = `http://me:hush-4711@127.0.0.1:${proxy.port}`;
    const env = { ...process.env, PARLEY_STATE_DIR: workFolder()('state'), HTTP_PROXY: address };
    const { err } = await runCli(['chat', 'Hello', '--url', url], '', env);
    // The gateway itself refuses the name that only the proxy knows.
    expect(err).toContain('The gateway answers only under the address it listens at.');
    expect(proxy.targets[0]).toMatch(/^server\.test:\d+$/);
    expect(err).not.toContain('hush');
  });

  it('reports the proxy’s refusal in one sentence, without the password', async () => {
    const proxy = await httpProxy({ login });
    releases.push(proxy.end);
    const address = `http://me:wrong-secret@127.0.0.1:${proxy.port}`;
    const asked = ['chat', 'Hello', '--url', 'ws://server.test:1', '--proxy', address];
    const { code, err } = await runCli(asked);
    expect(code).toBe(3);
    expectOneSentence(err);
    expect(err).toContain(`The proxy 127.0.0.1:${proxy.port} refuses name or password`);
    expect(err).not.toContain('wrong-secret');
  });
});

describe('connecting to a server', () => {
  it('trusts an unknown certificate if its fingerprint is given', async () => {
    const certificate = selfSigned();
    const server = await scriptedServer({
      tls: certificate,
      accepted: (socket) => {
        socket.close(1013, 'busy');
      },
    });
    releases.push(server.end);
    const args = ['chat', 'hi', '--url', `https://localhost:${server.port}`];
    const first = await runCli(args);
    expect(first.code).toBe(3);
    expectOneSentence(first.err);
    const [, fingerprint = ''] = /fingerprint is ([\dA-F:]{95})/.exec(first.err) ?? [];
    expect(fingerprint).toBe(certificate.fingerprint);
    expect(server.requests).toHaveLength(0);
    const second = await runCli([...args, '--fingerprint', fingerprint]);
    expect(second.code).toBe(1);
    expect(server.requests).toHaveLength(1);
  });

  it('reports a refused connection as JSON on stdout and in words on stderr', async () => {
    const { code, out, err } = await runCli(['chat', 'hi', '--url', 'ws://127.0.0.1:1', '--json']);
    const last = JSON.parse(out.trim().split('\n').at(-1) ?? '') as object;
    expect(last).toMatchObject({
      event: 'closed',
      reason: 'unreachable',
      by: 'network',
    });
    expect(code).toBe(3);
    expectOneSentence(err);
  });
});

describe('a server that misbehaves in the middle of a talk', () => {
  const short = ['--chunk-ms', '250'];

  it('keeps and writes what was received if the connection drops', async () => {
    const fault: Fault = { kind: 'drop', atStep: 12 };
    const at = workFolder();
    const url = await serveGateway({ faults: [fault] });
    const files = ['--output', at('o.wav'), '--captions', at('c.vtt'), '--tape', at('tape')];
    const { code, out, err } = await runCli([...fileTalk, ...short, ...files, '--url', url]);
    expect(code).toBe(1);
    expectOneSentence(err);
    expect(out.trim()).not.toBe('');
    expect(peakOf(at('o.wav'))).toBeGreaterThan(0.05);
    const [head, ...rest] = readFileSync(at('c.vtt'), 'utf8').split('\n');
    expect(head).toBe('WEBVTT');
    expect(rest.join('\n')).toContain('-->');
    expect(existsSync(at('tape/tape.ndjson'))).toBe(true);
    const again = await runCli(['replay', at('tape'), '--speed', 'max', '--output', at('r.wav')]);
    expect(peakOf(at('r.wav'))).toBeGreaterThan(0.05);
    expect(again.out).toBe(out);
    expect(again.code).toBe(1);
  });

  it('may send malformed answers: the talk continues to its end, except after an answer with 3 MiB of text @nightly', async () => {
    const at = workFolder();
    const kinds = [
      'text',
      'binary',
      'nan',
      'brokenBase64',
      'textAsNumber',
      'huge',
      'cutJson',
    ] as const;
    // All at once, because each takes as long as a talk.
    const talks = kinds.map(async (what) => {
      const url = await serveGateway({ faults: [{ kind: 'garbage', atStep: 12, what }] });
      const files = ['--output', at(`${what}.wav`), '--max-seconds', '6'];
      const { code, err } = await runCli([...fileTalk, ...short, ...files, '--url', url]);
      const peak = peakOf(at(`${what}.wav`));
      return { what, code, stack: err.includes('    at '), sounds: peak > 0.05 };
    });
    expect(await Promise.all(talks)).toEqual(
      // Only the answer with 3 MiB of text ends the talk.
      kinds.map((what) => ({ what, code: what === 'huge' ? 1 : 0, stack: false, sounds: true })),
    );
  });
});

/** The largest sample of a 16-bit WAV file, from 0 to 1. */
function peakOf(path: string): number {
  const file = readFileSync(path);
  const head = readWavHeader(file);
  if (!head.ok) throw new Error(head.error.code);
  let most = 0;
  const { dataStart, dataLength } = head.value;
  for (let at = dataStart; at + 1 < dataStart + dataLength; at += 2) {
    most = Math.max(most, Math.abs(file.readInt16LE(at)) / 32_768);
  }
  return most;
}

/** The types of the frames that a tape's client sent. */
function sentTypes(tape: string): readonly (string | undefined)[] {
  const lines = readFileSync(`${tape}/tape.ndjson`, 'utf8').trim().split('\n');
  return lines
    .map((line) => JSON.parse(line) as { dir?: string; frame?: { type: string } })
    .filter(({ dir }) => dir === 'out')
    .map(({ frame }) => frame?.type);
}

it('parley remembers the dialect of a server between runs, without its secrets', async () => {
  const at = workFolder();
  vi.stubEnv('PARLEY_STATE_DIR', at('state'));
  const url = await serveGateway({ dialect: 'legacy', profile: 'documented' });
  const args = [...fileTalk, '--max-seconds', '1', '--url', `${url}?key=secret`];
  const { code } = await runCli([...args, '--tape', at('first')]);
  expect(code).toBe(0);
  expect(sentTypes(at('first')).slice(0, 2)).toEqual(['session.init', 'session.update']);
  await runCli([...args, '--tape', at('second')]);
  expect(sentTypes(at('second'))[0]).toBe('session.update');
  const stored = readFileSync(at('state/servers.json'), 'utf8');
  expect(stored).toContain(url.split('?')[0]);
  expect(stored).not.toContain('secret');
});
