import { Session } from 'node:inspector';
import type { Profiler } from 'node:inspector';
import { readFileSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { workFolder } from '../fakes/work-folder.ts';
import { endCores, gatewayCore, patience } from '../unit/electron/controllers/gateway-core.ts';

const product = /\/((?:electron|renderer|shared)\/[\w./-]+\.ts)/;

/** The files of a way, as the architecture shows them. */
function shown(name: string): readonly string[] {
  const text = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
  const [, block = ''] = new RegExp(`\`\`\`way ${name}\n([^\`]*)\`\`\``).exec(text) ?? [];
  return block.split('\n').filter((line) => line !== '');
}

/** The product's files that wait for this call to come back, from the first on, each once. */
function waiting(): readonly string[] {
  Error.stackTraceLimit = 100;
  const lines = (new Error('here').stack ?? '').split('\n').toReversed();
  return [...new Set(lines.flatMap((line) => product.exec(line)?.[1] ?? []))];
}

/** Which of the product's files have run a function since this was last asked. */
function openCoverage(): { readonly take: () => readonly string[]; readonly end: () => void } {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return {
    take: () => {
      let scripts: readonly Profiler.ScriptCoverage[] = [];
      session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
        scripts = result;
      });
      const ran = scripts.filter(({ functions }) =>
        functions.some(({ ranges: [whole] }) => (whole?.count ?? 0) > 0),
      );
      return ran.flatMap(({ url }) => product.exec(url)?.[1] ?? []);
    },
    end: () => {
      session.disconnect();
    },
  };
}

afterEach(endCores);

it('sound and silence go the ways that the architecture shows, and no file more', async () => {
  const core = gatewayCore(workFolder()('state'));
  await core.ask('startTalk', { mode: 'audio' });
  await vi.waitFor(() => {
    expect(core.told('talkState').at(-1)?.phase).toBe('live');
  }, patience);
  const [stream] = core.devices.speakers;
  const [microphone] = core.devices.microphones;
  if (stream === undefined || microphone === undefined) throw new Error('Nothing was opened.');
  const coverage = openCoverage();
  let delta: readonly string[] = [];
  let silence: readonly string[] = [];
  let executed: readonly string[] = [];
  stream.onWrite = () => {
    const path = waiting();
    const from = path.indexOf('electron/session/session-connection.ts');
    if (from >= 0 && delta.length === 0) delta = path.slice(from);
  };
  for (let blocks = 0; blocks < 500 && delta.length === 0; blocks += 1) {
    const loudness = blocks < 75 ? 0.3 : 0;
    microphone.hear(new Float32Array(320).map((_, at) => (at % 40 < 20 ? loudness : -loudness)));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  stream.onFlush = () => {
    silence = waiting();
    executed = coverage.take();
    stream.onFlush = () => undefined;
  };
  coverage.take();
  await core.ask('interruptTalk', undefined);
  coverage.end();

  // The ends of the ways are real elsewhere: the page and the socket, and the stream of a driver.
  const deltaWay = shown('delta to speaker callback');
  expect(delta.length).toBeGreaterThan(8);
  expect(deltaWay.filter((file) => delta.includes(file))).toEqual(delta);
  const clickWay = shown('click to silence');
  expect(silence[0]).toBe('electron/ipc/request-dispatcher.ts');
  expect(clickWay.filter((file) => silence.includes(file))).toEqual(silence);
  expect(silence.filter((file) => !executed.includes(file))).toEqual([]);
  process.stdout.write(`files executed, request to silence: ${executed.length}\n`);
}, 30_000);
