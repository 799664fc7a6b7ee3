import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openParley, type Parley } from '../../electron/app/parley.ts';
import { createBackendCodec } from '../../electron/gateway/backend.ts';
import { chatCommand } from '../../electron/hosts/terminal/commands/chat-command.ts';
import { talkCommand } from '../../electron/hosts/terminal/commands/talk-command.ts';
import { exitCode } from '../../electron/hosts/terminal/exit-code.ts';
import { terminalCore } from '../../electron/hosts/terminal/terminal-core.ts';
import { loadByModeSession } from '../../electron/model/warm-up.ts';
import { connectBackend } from '../../electron/platform/model/backend-connection.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import type { SocketEnd } from '../../shared/ports/sockets.ts';
import { FakeLog } from '../fakes/fake-log.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { BackendClient } from '../llama-omni/backend-client.ts';
import { writeCatalogue } from '../llama-omni/install-stand-in.ts';
import type { StandInReport } from '../llama-omni/stand-in-report.ts';
import { isGone, modelProcessHarness, readLock } from './model-process-harness.ts';

const { install, open } = modelProcessHarness();

let cores: Parley[] = [];

afterEach(async () => {
  for (const { lifetime } of cores) await lifetime.end();
  cores = [];
  vi.unstubAllEnvs();
});

/** The environments of the processes in a group, by variable. */
function environmentsOf(group: number): readonly ReadonlyMap<string, string>[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/u.test(pid) && groupOf(pid) === group)
    .map((pid) => {
      const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').slice(0, -1);
      return new Map(
        variables.map((variable) => {
          const at = variable.indexOf('=');
          return [variable.slice(0, at), variable.slice(at + 1)] as const;
        }),
      );
    });
}

function groupOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
  } catch {
    return undefined;
  }
}

async function reportOf(address: string): Promise<StandInReport> {
  const url = address.replace('ws:', 'http:').replace('/backend', '/stand-in');
  return (await (await fetch(url)).json()) as StandInReport;
}

describe.runIf(process.platform === 'linux')('the model on this computer', () => {
  it('runs with known environment variables only, without secrets or proxies', async () => {
    vi.stubEnv('PARLEY_TOKEN', 'secret-1');
    vi.stubEnv('A_NAME_NOBODY_KNOWS', 'secret-2');
    vi.stubEnv('http_proxy', 'http://secret-3@127.0.0.1:9');
    vi.stubEnv('HTTPS_PROXY', 'http://secret-4@127.0.0.1:9');
    vi.stubEnv('ALL_PROXY', 'socks5://127.0.0.1:9');
    vi.stubEnv('CUDA_VISIBLE_DEVICES', '1');
    const parts = await install();
    expect(await open(parts).ready()).toMatchObject({ ok: true });
    const { leader, temporary } = readLock(parts.folder);
    const environments = environmentsOf(leader.pid);
    // At least the shell, its watcher and the program.
    expect(environments.length).toBeGreaterThan(2);
    for (const environment of environments) {
      expect([...environment.values()].filter((value) => value.includes('secret'))).toEqual([]);
      expect([...environment.keys()].filter((name) => /proxy/iu.test(name))).toEqual(['NO_PROXY']);
      expect(environment.get('NO_PROXY')).toBe('127.0.0.1,localhost');
      expect(environment.get('CUDA_VISIBLE_DEVICES')).toBe('1');
      expect(environment.get('TMPDIR')).toBe(temporary);
    }
    expect(statSync(temporary).mode & 0o777).toBe(0o700);
  });

  it('reports a full temporary folder, deletes it and starts again', async () => {
    const parts = await install({ fullDiskAtStep: 3 });
    const server = open(parts);
    const restarts: unknown[] = [];
    server.listen((state) => {
      if (state.kind === 'restarting') restarts.push(state.error);
    });
    const first = unwrap(await server.ready());
    const { leader, temporary } = readLock(parts.folder);
    const client = new BackendClient(first);
    const { session_id: id = '' } = await client.init();
    client.append();
    await client.next(({ response_id }) => response_id === `${id}_resp_1`);
    expect(readdirSync(join(temporary, 'omni_ws', id))).toEqual(['000001.wav']);
    client.append();
    client.append();
    await isGone(leader.pid);
    expect(restarts).toMatchObject([{ code: 'modelTemporaryFull', facts: { path: temporary } }]);
    expect(await server.ready()).toMatchObject({ ok: true });
    expect(existsSync(temporary)).toBe(false);
    expect(readLock(parts.folder).leader.pid).not.toBe(leader.pid);
    client.socket.terminate();
  });

  it('does not start again while its temporary folder is full from the first step', async () => {
    const parts = await install({ fullDiskAtStep: 1 });
    const server = open(parts);
    const error = { code: 'modelTemporaryFull' };
    expect(await server.ready()).toMatchObject({ ok: false, error });
    expect(server.state).toMatchObject({ kind: 'failed', error });
    await server.end();
    expect(existsSync(join(parts.folder, 'model-server.lock'))).toBe(false);
  });

  it('is ready one step after it has loaded', async () => {
    const server = open(await install({ loadMs: 300, stepMs: 200 }));
    const ready = await server.ready();
    const readyAt = systemClock.now();
    if (!ready.ok) throw new Error(ready.error.code);
    const { sinceLoadMs, appends, loads } = await reportOf(ready.value);
    const lagMs = sinceLoadMs - (systemClock.now() - readyAt);
    expect({ appends, loads }).toEqual({ appends: 1, loads: 1 });
    // A session without a step takes the time of this machine.
    const begunAt = systemClock.now();
    const codec = createBackendCodec(bufferBase64);
    const backend = connectBackend(new URL(ready.value));
    const deps = { clock: systemClock, codec, voice: new Float32Array(16_000), maxMs: 10_000 };
    expect(await loadByModeSession(backend, 'full_duplex', deps)).toBe('loaded');
    expect(lagMs).toBeLessThan(1000 + systemClock.now() - begunAt);
  });

  it('refuses `parley talk` when it is too slow, but not `parley chat`', async () => {
    const parley = await openCore(await install());
    const { server } = parley.servers.model;
    expect(await server.ready()).toMatchObject({ ok: true });
    for (let step = 0; step < 10; step += 1) server.addStep(950, false);
    const sound = ['--mode', 'audio', '--input', 'resources/speech/hear.wav'];
    const talk = await run(talkCommand, parley, ...sound);
    expect(talk).toMatchObject({ code: exitCode.outOfReach, out: '' });
    expect(talk.err).toContain('950');
    const chat = await run(chatCommand, parley, 'Hello');
    expect(chat.code).toBe(exitCode.done);
    expect(chat.out).toMatch(/^Hello, I am the demonstration/u);
    expect(chat.err).toContain('Switching the model to chat');
  });

  it('remembers its load time and pace, and refuses a talk before it is measured again', async () => {
    const parts = await install({ loadMs: 200 });
    const first = await openCore(parts);
    expect(await first.servers.model.server.ready()).toMatchObject({ ok: true });
    for (let step = 0; step < 10; step += 1) first.servers.model.server.addStep(950, false);
    const { expectedLoadMs } = first.servers.model.server;
    expect(expectedLoadMs).toBeGreaterThan(200);
    await first.lifetime.end();

    const second = await openCore(parts);
    const { model } = second.servers;
    const sockets = unwrap(await model.connect());
    expect(model.server.expectedLoadMs).toBe(expectedLoadMs);
    expect(model.server.state.kind).toBe('stopped');
    const end = await new Promise<SocketEnd>((ended) => {
      const listener = { opened: () => undefined, received: () => undefined, ended };
      sockets.connect('audio', listener);
    });
    expect(end).toMatchObject({
      permanent: true,
      error: { code: 'modelTooSlow', facts: { p90Ms: 950, limitMs: 900 } },
    });
    // The refused talk has started a load that measures all ten steps.
    expect(model.server.state.kind).toBe('loading');
    const ready = unwrap(await model.server.ready());
    expect(model.pace?.verdict).toBe('voice');
    expect((await reportOf(ready)).appends).toBe(10);
  });
});

/** Runs a command with the model on this computer as its server. */
async function run(command: typeof talkCommand, parley: Parley, ...args: readonly string[]) {
  const written = { out: '', err: '' };
  const terminal = {
    out: (text: string) => void (written.out += text),
    err: (text: string) => void (written.err += text),
  };
  const given = [...args, '--server', 'computer'];
  const code = await command.run(given, terminal, () => terminalCore(parley));
  return { code, ...written };
}

/** Parley with the stand-in as the model on this computer. */
async function openCore(parts: Awaited<ReturnType<typeof install>>): Promise<Parley> {
  const catalogue = join(parts.folder, 'catalogue.json');
  writeCatalogue(catalogue, parts.model);
  vi.stubEnv('PARLEY_MODEL_CATALOGUE', catalogue);
  vi.stubEnv('PARLEY_STATE_DIR', parts.folder);
  const parley = openParley('terminal', '0', new FakeLog());
  cores.push(parley);
  const { settings, model } = parley.servers;
  settings.change({ model: { program: parts.program } });
  await model.files.useFolder(parts.model);
  return parley;
}
