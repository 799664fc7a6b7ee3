import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openModelServer } from '../../electron/app/model-server.ts';
import { openParley, type Parley } from '../../electron/app/parley.ts';
import { chatCommand } from '../../electron/hosts/terminal/commands/chat-command.ts';
import { talkCommand } from '../../electron/hosts/terminal/commands/talk-command.ts';
import { exitCode, terminalCore } from '../../electron/hosts/terminal/terminal-command.ts';
import type { ModelSupervisor } from '../../electron/model/model-supervisor.ts';
import { createStateFile } from '../../electron/platform/files/state-file.ts';
import { findModelProgram } from '../../electron/platform/model/model-process.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { Lifetime } from '../../shared/lifetime.ts';
import { encodePcm } from '../../shared/protocol/base64-media.ts';
import { anyPage } from '../fakes/fake-updates.ts';
import { fakeTerminal } from '../fakes/fake-terminal.ts';
import { eventually } from '../fakes/promises.ts';
import { FakeLog } from '../fakes/fake-log.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { fillModelFolder, installStandIn, writeCatalogue } from '../llama-omni/stand-in-process.ts';
import type { StandInFaults } from '../llama-omni/stand-in-faults.ts';
import { ModuleProcess } from '../scenes/module-process.ts';

interface Lock {
  readonly leader: { readonly pid: number; readonly startedAt: string };
  readonly temporary: string;
}

function readLock(folder: string): Lock {
  return JSON.parse(readFileSync(join(folder, 'model-server.lock'), 'utf8')) as Lock;
}

function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

async function isGone(pid: number): Promise<void> {
  await eventually(() => {
    if (isRunning(pid)) throw new Error(`${pid} still runs`);
  });
}

interface Parts {
  readonly program: string;
  readonly model: string;
  /** Parley's state folder. */
  readonly folder: string;
}

/** Model servers with the stand-in as their process, which end with the test. */
function modelProcessHarness() {
  let lifetimes: Lifetime[] = [];

  afterEach(async () => {
    for (const lifetime of lifetimes) await lifetime.end();
    lifetimes = [];
  });

  async function install(faults: StandInFaults = {}): Promise<Parts> {
    const at = workFolder();
    const program = await installStandIn(at('bin'), { loadMs: 20, stepMs: 20, ...faults });
    const model = dirname(fillModelFolder(at('model')));
    mkdirSync(at('state'));
    return { program, model, folder: at('state') };
  }

  function machineIn(folder: string): Parameters<typeof openModelServer>[0] {
    const lifetime = new Lifetime('a model server');
    lifetimes.push(lifetime);
    const log = { write: () => undefined };
    const stateFile = (name: string) => createStateFile(folder, name);
    return { folder, clock: systemClock, log, lifetime, stateFile };
  }

  function open({ program, model, folder }: Parts): ModelSupervisor {
    return openModelServer(machineIn(folder), {
      findProgram: () => Promise.resolve({ ok: true, value: program }),
      findFolder: () => Promise.resolve({ ok: true, value: model }),
      folder: () => model,
      idleMs: () => 0,
    });
  }

  return { install, open };
}

const { install, open } = modelProcessHarness();

let others: ChildProcess[] = [];

afterEach(() => {
  for (const other of others) other.kill('SIGKILL');
  others = [];
});

/** Writes a script, such as a user's, that starts the program as its child. */
function wrapInScript(program: string): string {
  const script = `${program}-script`;
  writeFileSync(script, `#!/bin/sh\n"${program}" "$@" &\nwait\n`, { mode: 0o755 });
  return script;
}

/** Writes a script that occupies the port which the program gets at its first start. */
function takePortOnce(program: string): string {
  const script = `${program}-taken`;
  const listen = `require('net').createServer().listen(+process.argv[1],'127.0.0.1',()=>console.log('taken'))`;
  const lines = [
    '#!/bin/sh',
    `if mkdir "${script}.once" 2>/dev/null; then`,
    `  "${process.execPath}" -e "${listen}" "$6" >"${script}.log" &`,
    `  until grep -q taken "${script}.log"; do sleep 0.05; done`,
    'fi',
    `exec "${program}" "$@"`,
    '',
  ];
  writeFileSync(script, lines.join('\n'), { mode: 0o755 });
  return script;
}

/** Starts a process that Parley does not know. */
async function startOther(): Promise<{ readonly pid: number; readonly startedAt: string }> {
  const other = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  others.push(other);
  await once(other, 'spawn');
  const pid = other.pid ?? 0;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return { pid, startedAt: stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '' };
}

function writeLock(folder: string, leader: Lock['leader']): void {
  // Process 2 never has this start time, so the lock's owner counts as gone.
  const owner = { pid: 2, startedAt: 'never' };
  writeFileSync(
    join(folder, 'model-server.lock'),
    JSON.stringify({ owner, leader, temporary: '' }),
  );
}

describe.runIf(process.platform === 'linux')('the process of the model', () => {
  it('has a private temporary folder, and leaves only its log after it has ended', async () => {
    const parts = await install();
    const server = open(parts);
    const ready = await server.ready();
    expect(ready).toMatchObject({ ok: true });
    const { leader, temporary } = readLock(parts.folder);
    expect(statSync(temporary).mode & 0o777).toBe(0o700);
    expect(isRunning(leader.pid)).toBe(true);
    await server.end();
    await isGone(leader.pid);
    expect(existsSync(temporary)).toBe(false);
    expect(existsSync(join(parts.folder, 'model-server.lock'))).toBe(false);
    const log = join(parts.folder, 'logs', 'model-server.log');
    expect(readFileSync(log, 'utf8')).toContain('listening');
    expect(statSync(log).mode & 0o777).toBe(0o600);
  });

  it.each(['program', 'script'])(
    'ends when its Parley is killed, if the user chose a %s',
    async (form) => {
      const { folder, program: standIn, model } = await install();
      const program = form === 'script' ? wrapInScript(standIn) : standIn;
      const parley = new ModuleProcess('../contract/killed-programs.ts', [
        'model',
        folder,
        program,
        join(model, 'MiniCPM-o-4_5-Q4_K_M.gguf'),
      ]);
      const [address] = (await once(parley.process, 'message')) as [string];
      await eventually(() =>
        fetch(`${address.replace('ws', 'http').replace('/backend', '')}/health`),
      );
      const { leader, temporary } = readLock(folder);
      expect(isRunning(leader.pid)).toBe(true);
      await parley.kill();
      await isGone(leader.pid);
      await eventually(() => {
        if (existsSync(temporary)) throw new Error('its files are still there');
      });
      await eventually(() => expect(fetch(address.replace('ws', 'http'))).rejects.toThrow());
    },
  );

  it('takes another port at once if a program already uses the first', async () => {
    const parts = await install();
    const program = takePortOnce(parts.program);
    const server = open({ ...parts, program });
    const pauses: number[] = [];
    server.listen((state) => {
      if (state.kind === 'restarting') pauses.push(state.seconds);
    });
    expect(await server.ready()).toMatchObject({ ok: true });
    expect(pauses).toEqual([0]);
  });

  it('keeps its newest output in two files of limited bytes @nightly', async () => {
    const parts = await install();
    const program = `${parts.program}-loud`;
    // 3.3 MB in 1.1 million characters.
    const print = `process.stderr.write('語'.repeat(99).concat('\\n').repeat(11000))`;
    writeFileSync(
      program,
      `#!/bin/sh\n"${process.execPath}" -e "${print}"\nexec "${parts.program}" "$@"\n`,
      { mode: 0o755 },
    );
    const server = open({ ...parts, program });
    expect(await server.ready()).toMatchObject({ ok: true });
    await server.end();
    const log = join(parts.folder, 'logs', 'model-server.log');
    for (const path of [log, `${log}.1`]) expect(statSync(path).size).toBeLessThan(2.1 * 1024 ** 2);
    expect(statSync(log).size + statSync(`${log}.1`).size).toBeGreaterThan(3.2e6);
    expect(readFileSync(log, 'utf8')).toContain('listening');
  });

  it('is killed within eight seconds if it ignores all requests @nightly', async () => {
    const parts = await install({ zombie: true });
    const server = open(parts);
    expect(await server.ready()).toMatchObject({ ok: true });
    const { leader } = readLock(parts.folder);
    const begunAt = systemClock.now();
    await server.end();
    await isGone(leader.pid);
    expect(systemClock.now() - begunAt).toBeLessThan(8000);
  });

  it.each([
    ['the card lacks memory', { outOfMemory: true }, 'modelCardMemory'],
    ['the program is not the model server', { otherProgram: true }, 'modelProgramForeign'],
    ['the program is too old', { olderBuild: true }, 'modelProgramOld'],
  ])('fails with a reason if %s', async (_what, faults, code) => {
    const server = open(await install(faults));
    expect(await server.ready()).toMatchObject({ ok: false, error: { code } });
  });

  it('is refused if its program is not executable or not a file', async () => {
    const { program } = await install();
    expect(await findModelProgram(program)).toEqual({ ok: true, value: program });
    chmodSync(program, 0o644);
    // Root may read all files but executes only those with the bit.
    expect(await findModelProgram(program)).toMatchObject({
      error: { code: 'modelProgramNotExecutable', facts: { path: program } },
    });
    for (const path of [dirname(program), `${program}-gone`]) {
      expect(await findModelProgram(path)).toMatchObject({
        error: { code: 'modelProgramGone', facts: { path } },
      });
    }
  });

  it('replaces the process of a killed Parley, but spares another process with its id', async () => {
    const parts = await install();
    const orphan = await startOther();
    writeLock(parts.folder, orphan);
    expect(await open(parts).ready()).toMatchObject({ ok: true });
    await isGone(orphan.pid);
    const others = await install();
    const foreign = await startOther();
    writeLock(others.folder, { ...foreign, startedAt: '1' });
    expect(await open(others).ready()).toMatchObject({ ok: true });
    expect(isRunning(foreign.pid)).toBe(true);
  });

  it('starts despite an empty lock file that is a minute old, but not beside a new one, which may still be written', async () => {
    const parts = await install();
    const lock = join(parts.folder, 'model-server.lock');
    writeFileSync(lock, '');
    const first = await open(parts).ready();
    expect(first).toMatchObject({ ok: false, error: { code: 'modelElsewhere' } });
    const minuteAgo = Date.now() / 1000 - 60;
    utimesSync(lock, minuteAgo, minuteAgo);
    expect(await open(parts).ready()).toMatchObject({ ok: true });
  });

  it('does not start while another Parley runs the model', async () => {
    const parts = await install();
    const owner = await startOther();
    writeFileSync(
      join(parts.folder, 'model-server.lock'),
      JSON.stringify({ owner, leader: owner, temporary: '' }),
    );
    expect(await open(parts).ready()).toMatchObject({
      ok: false,
      error: { code: 'modelElsewhere' },
    });
    expect(isRunning(owner.pid)).toBe(true);
  });
});

let cores: Parley[] = [];

afterEach(async () => {
  for (const { lifetime } of cores) await lifetime.end();
  cores = [];
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

  it('reports a full temporary folder, deletes that folder and starts again @nightly', async () => {
    const parts = await install({ fullDiskAtStep: 3 });
    const server = open(parts);
    const restarts: unknown[] = [];
    server.listen((state) => {
      if (state.kind === 'restarting') restarts.push(state.error);
    });
    const first = unwrap(await server.ready());
    const { leader, temporary } = readLock(parts.folder);
    const socket = new WebSocket(first);
    await once(socket, 'open');
    const send = (frame: object): void => socket.send(JSON.stringify(frame));
    const next = async () => {
      const [data] = (await once(socket, 'message')) as [Buffer];
      return JSON.parse(data.toString()) as { readonly session_id: string };
    };
    const audio = encodePcm(new Float32Array(16_000), bufferBase64);
    const append = (): void => send({ type: 'input.append', input: { audio } });
    send({ type: 'session.init', payload: { mode: 'full_duplex', voice: { ref_audio: audio } } });
    const { session_id: id } = await next();
    append();
    await next();
    expect(readdirSync(join(temporary, 'omni_ws', id))).toEqual(['000001.wav']);
    append();
    append();
    await isGone(leader.pid);
    expect(restarts).toMatchObject([{ code: 'modelTemporaryFull', facts: { path: temporary } }]);
    expect(await server.ready()).toMatchObject({ ok: true });
    expect(existsSync(temporary)).toBe(false);
    expect(readLock(parts.folder).leader.pid).not.toBe(leader.pid);
    socket.terminate();
  });

  it('stays unloaded if the user unloads it during a session, and loads for the next session', async () => {
    const parley = await openCore(await install());
    const { local, server } = parley.servers.model;
    const { sockets } = unwrap(await parley.servers.connector.connect('computer'));
    const texts: string[] = [];
    const open = () =>
      sockets.connect('audio', {
        opened: () => undefined,
        received: (text = '') => texts.push(text),
        ended: () => texts.push('ended'),
      });
    open();
    await eventually(() => expect(texts.join()).toContain('session.queue_done'));
    await local.handlers.unloadModel(undefined, anyPage);
    // A second after it lost the model, the gateway checks whether the model is back.
    await wait(2500);
    expect(server.state.kind).toBe('stopped');
    texts.length = 0;
    const second = open();
    await eventually(() => expect(texts.join()).toContain('session.queue_done'));
    second.terminate();
  }, 60_000);

  it('refuses `parley talk` if the model is too slow, but not `parley chat`', async () => {
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
});

/** Runs a command with the model on this computer as its server. */
async function run(command: typeof talkCommand, parley: Parley, ...args: readonly string[]) {
  const { terminal, written } = fakeTerminal();
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
