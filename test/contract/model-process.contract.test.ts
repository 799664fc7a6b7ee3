import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { findModelProgram } from '../../electron/platform/model/model-process.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { childrenOf, readCommand } from '../e2e/fixtures/processes.ts';
import { eventually } from '../fakes/eventually.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { BackendClient, speech } from '../llama-omni/backend-client.ts';
import { Child } from '../scenes/child.ts';
import {
  isGone,
  isRunning,
  type Lock,
  modelProcessHarness,
  readLock,
} from './model-process-harness.ts';

const { install, open, openTwo } = modelProcessHarness();

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

function writeLock(folder: string, leader: Lock['leader'], name = 'model-server'): void {
  // Process 2 never has this start time, so the lock's owner counts as gone.
  const owner = { pid: 2, startedAt: 'never' };
  writeFileSync(join(folder, `${name}.lock`), JSON.stringify({ owner, leader, temporary: '' }));
}

describe.runIf(process.platform === 'linux')('the process of the model', () => {
  it('has a private temporary folder, and leaves only its log when it ends', async () => {
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
      const parley = new Child('../contract/files/keep-model.ts', [
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

  it('starts again after a crash in a talk, and deletes its temporary sound', async () => {
    const parts = await install({ crashAtStep: 12 });
    const server = open(parts);
    const first = unwrap(await server.ready());
    const { leader, temporary } = readLock(parts.folder);
    const client = new BackendClient(first);
    await client.init();
    for (let step = 0; step < 12; step += 1) client.append(speech);
    await isGone(leader.pid);
    // The supervisor notices the exit a moment later.
    await eventually(() => {
      if (server.state.kind === 'ready') throw new Error('the crash is not noticed');
    });
    expect(await server.ready()).toMatchObject({ ok: true });
    expect(existsSync(temporary)).toBe(false);
    expect(readLock(parts.folder).leader.pid).not.toBe(leader.pid);
    client.socket.terminate();
  });

  it('ends after an idle time, and loads again for the next talk', async () => {
    const parts = await install();
    const server = open(parts, 300);
    expect(await server.ready()).toMatchObject({ ok: true });
    const { leader } = readLock(parts.folder);
    await isGone(leader.pid);
    expect(server.state.kind).toBe('stopped');
    expect(await server.ready()).toMatchObject({ ok: true });
    expect(readLock(parts.folder).leader.pid).not.toBe(leader.pid);
  });

  it('takes another port at once if a program has the first', async () => {
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

  it('keeps its newest output in two files of limited bytes', async () => {
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

  it('is killed within eight seconds if it ignores all requests', async () => {
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
    ['the program is another one', { otherProgram: true }, 'modelProgramForeign'],
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

  it('is not started again if the system kills it while it loads', async () => {
    const parts = await install({ loadMs: 60_000 });
    const server = open(parts);
    const ready = server.ready();
    const log = join(parts.folder, 'logs', 'model-server.log');
    await eventually(() => {
      if (!readFileSync(log, 'utf8').includes('CUDA devices')) throw new Error('not loading yet');
    });
    const { leader } = readLock(parts.folder);
    const program = childrenOf(leader.pid).find((pid) => readCommand(pid).includes('.mjs'));
    if (program === undefined) throw new Error('the program does not run');
    process.kill(program, 'SIGKILL');
    const error = { code: 'modelKilled' };
    expect(await ready).toMatchObject({ ok: false, error });
    expect(server.state).toMatchObject({ kind: 'failed', error });
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

  it('replaces both processes of a killed Parley before a talk loads', async () => {
    const parts = await install();
    const [talk, chat] = [await startOther(), await startOther()];
    writeLock(parts.folder, talk);
    writeLock(parts.folder, chat, 'model-chat');
    const { talks, chats } = openTwo(parts);
    expect(await talks.ready()).toMatchObject({ ok: true });
    await isGone(talk.pid);
    await isGone(chat.pid);
    expect(await chats.ready()).toMatchObject({ ok: true });
    const [ours, other] = [readLock(parts.folder), readLock(parts.folder, 'model-chat')];
    expect(isRunning(ours.leader.pid) && isRunning(other.leader.pid)).toBe(true);
    expect(ours.temporary).not.toBe(other.temporary);
  });

  it('ends after its own idle time while the other one has a session', async () => {
    const parts = await install();
    const { talks, chats } = openTwo(parts, 300);
    expect(await talks.ready()).toMatchObject({ ok: true });
    const release = talks.trackSession(() => Promise.resolve());
    expect(await chats.ready()).toMatchObject({ ok: true });
    const [talk, chat] = [readLock(parts.folder), readLock(parts.folder, 'model-chat')];
    await isGone(chat.leader.pid);
    expect(isRunning(talk.leader.pid)).toBe(true);
    expect(talks.state.kind).toBe('ready');
    release();
    await isGone(talk.leader.pid);
  });

  it('is not started again by a health check after it has failed', async () => {
    const parts = await install({ outOfMemory: true });
    const { chats, chatBackend } = openTwo(parts);
    expect(await chats.ready()).toBeUndefined();
    expect(chats.place).toMatchObject({ kind: 'turns', error: { code: 'modelCardMemory' } });
    expect(await chatBackend.isHealthy()).toBe(false);
    const log = join(parts.folder, 'logs', 'model-chat.log');
    // Each start begins a new file.
    expect([existsSync(log), existsSync(`${log}.1`)]).toEqual([true, false]);
  });

  it('is killed within eight seconds together with the other if both ignore all requests', async () => {
    const parts = await install({ zombie: true });
    const { talks, chats, lifetime } = openTwo(parts);
    expect(await talks.ready()).toMatchObject({ ok: true });
    expect(await chats.ready()).toMatchObject({ ok: true });
    talks.trackSession(() => new Promise(() => undefined));
    const locks = [readLock(parts.folder), readLock(parts.folder, 'model-chat')];
    const begunAt = systemClock.now();
    await lifetime.end();
    expect(systemClock.now() - begunAt).toBeLessThan(8000);
    for (const { leader } of locks) await isGone(leader.pid);
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
