import { monitorEventLoopDelay } from 'node:perf_hooks';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTerminal } from '../../electron/hosts/terminal/run-terminal.ts';
import { createWebSockets } from '../../electron/platform/net/web-socket.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { wireReason } from '../../shared/errors/app-error.ts';
import { coreWithFakes } from '../fakes/core-with-fakes.ts';

export interface FloodResult extends RunCost {
  readonly address: string;
  readonly code: number | undefined;
  /** The session's last event, with the reason of its end. */
  readonly end: string;
  /** Characters that the terminal printed, or notices that the core posted. */
  readonly outputCount: number;
}

/**
 * Connects a client to each address of a flooding server, and sends its cost to the parent process. The client is a talk in
 * the core, or a talk or chat in the terminal.
 */
export async function run(client: string, ...addresses: readonly string[]): Promise<void> {
  process.env['PARLEY_STATE_DIR'] = await mkdtemp(join(tmpdir(), 'parley-flood-'));
  for (const address of addresses) {
    const result = client === 'core' ? await inCore(address) : await inTerminal(client, address);
    process.send?.(result);
  }
  await rm(process.env['PARLEY_STATE_DIR'], { recursive: true, force: true });
  process.disconnect();
}

const voice = ['--mode', 'audio', '--input', 'resources/speech/hello.wav', '--chunk-ms', '250'];

async function inTerminal(command: string, address: string): Promise<FloodResult> {
  let [outputCount, end, code] = [0, '', 0];
  const out = (text: string): void => {
    outputCount += text.length;
    if (text.includes('"closed"')) end = text;
  };
  const args =
    command === 'chat'
      ? ['chat', 'hi', '--json', '--url', address]
      : ['talk', '--json', ...voice, '--url', address];
  const cost = await measureRun(async () => {
    code = await runTerminal(args, { out, err: out });
  });
  return { address: address, code, end, outputCount, ...cost };
}

async function inCore(address: string): Promise<FloodResult> {
  let [end, noticeCount] = ['', 0];
  const cost = await measureRun(async () => {
    ({ end, noticeCount } = await runCore(address));
  });
  return { address: address, code: undefined, end, outputCount: noticeCount, ...cost };
}

const chunk = new Float32Array(16_000);

/** Runs a talk through the whole core, with a real socket and a fake sound card. */
async function runCore(
  url: string,
): Promise<{ readonly end: string; readonly noticeCount: number }> {
  const sockets = createWebSockets({ url, headers: {}, query: {}, insecure: false });
  const core = coreWithFakes(process.env['PARLEY_STATE_DIR'] ?? '', systemClock, {
    embeddedGateway: () => Promise.resolve({ ok: true, value: sockets }),
  });
  // A hand-over would begin the flood again in the next session.
  core.settings.change({ talking: { longTalks: 'ask' } });
  let noticeCount = 0;
  const ended = new Promise<string>((resolve) => {
    core.notices.listen(({ name, payload }) => {
      noticeCount += 1;
      if (name === 'talkState' && payload.phase === 'live')
        core.devices.microphones.at(-1)?.hear(chunk);
      if (name === 'talkState' && payload.phase === 'ended')
        resolve(wireReason(payload.ending.error));
    });
  });
  await core.ask('startTalk', { mode: 'audio' });
  const speak = setInterval(() => core.devices.microphones.at(-1)?.hear(chunk), 250);
  const play = setInterval(() => core.devices.speakers.at(-1)?.plays(960), 40);
  const end = await ended;
  clearInterval(speak);
  clearInterval(play);
  await core.lifetime.end();
  return { end, noticeCount };
}

interface RunCost {
  readonly ms: number;
  readonly cpuMs: number;
  /** The longest delay of the event loop, from perf_hooks. */
  readonly pauseMs: number;
  /** The most processor time between two timer ticks; unlike the delay, it excludes other processes. */
  readonly busyMs: number;
  readonly megabytes: number;
}

const pollMs = 5;

function megabytesNow(): number {
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}

async function measureRun(run: () => Promise<void>): Promise<RunCost> {
  globalThis.gc?.();
  const before = megabytesNow();
  const delay = monitorEventLoopDelay({ resolution: pollMs });
  const began = { at: performance.now(), cpu: process.cpuUsage() };
  let peak = before;
  let busyMs = 0;
  let last = process.cpuUsage();
  const look = setInterval(() => {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    busyMs = Math.max(busyMs, (user + system) / 1000);
    peak = Math.max(peak, megabytesNow());
  }, pollMs);
  delay.enable();
  await run();
  delay.disable();
  clearInterval(look);
  const cpu = process.cpuUsage(began.cpu);
  return {
    ms: performance.now() - began.at,
    cpuMs: (cpu.user + cpu.system) / 1000,
    pauseMs: delay.max / 1e6,
    busyMs,
    megabytes: peak - before,
  };
}
