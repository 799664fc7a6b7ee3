import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import type { RemoteChannel } from '../../electron/platform/remote/remote-listener.ts';
import { createRemoteSocket, watchName } from '../../electron/platform/remote/remote-socket.ts';
import { done, failure } from '../../shared/errors/app-error.ts';
import { eventually } from '../fakes/promises.ts';
import { fakeRemoteChannels } from '../fakes/fake-remote-channel.ts';
import { unwrap } from '../fakes/unwrap.ts';
import { workFolder } from '../fakes/work-folder.ts';

/** Leaves the socket of a killed Parley. */
function leaveDeadSocket(path: string): void {
  const killed = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  expect(spawnSync(process.execPath, ['-e', killed]).signal).toBe('SIGKILL');
  expect(statSync(path).isSocket()).toBe(true);
}

/** Listens and returns the stop function. */
async function listenOn(line: RemoteChannel, answer: Parameters<RemoteChannel['listen']>[0]) {
  return unwrap(await line.listen(answer));
}

function socketLines(): (name: string) => RemoteChannel {
  const at = workFolder();
  return (name) => createRemoteSocket(at(name));
}

describe.each([
  { name: 'socket', lines: socketLines },
  { name: 'fake', lines: fakeRemoteChannels },
])('a remote channel, the $name', ({ lines }) => {
  it('carries a command and its answer', async () => {
    const at = lines();
    const asked: string[] = [];
    const close = await listenOn(at('one'), (words) => {
      asked.push(words);
      const path = 'Es geht nicht — 不行。';
      return Promise.resolve(words === 'sing' ? failure('notText', { path }) : done);
    });
    expect(await at('one').ask('ptt press')).toEqual({ kind: 'done' });
    expect(await at('one').ask('sing')).toEqual({
      kind: 'refused',
      message: 'Es geht nicht — 不行。 is not a text file.',
    });
    expect(await at('other').ask('ptt press')).toEqual({ kind: 'nobody' });
    await close();
    expect(await at('one').ask('ptt press')).toEqual({ kind: 'nobody' });
    expect(asked).toEqual(['ptt press', 'sing']);
  });

  it('is served by one Parley, and by the next after the first has ended', async () => {
    const at = lines();
    const heard: string[] = [];
    const turns: string[] = [];
    const named = async (name: string) => {
      const took = await at('one').listen(
        (words) => {
          heard.push(`${name} ${words}`);
          return Promise.resolve(done);
        },
        (turn) => turns.push(`${name} ${turn}`),
      );
      if (!took.ok) throw new Error(took.error.code);
      return took.value;
    };
    const closes = [await named('first'), await named('second')];
    await at('one').ask('a');
    await closes[0]?.();
    await eventually(() => {
      expect(turns).toEqual(['first ours', 'second another', 'second ours']);
    });
    expect(await at('one').ask('b')).toEqual({ kind: 'done' });
    expect(heard).toEqual(['first a', 'second b']);
    await closes[1]?.();
    expect(await at('one').ask('c')).toEqual({ kind: 'nobody' });
  });
});

describe('the remote socket', () => {
  const folder = 'state';
  const name = `${folder}/remote.sock`;
  const noop = () => undefined;

  it('is served by one of many Parleys that start beside a dead socket; the others wait', async () => {
    const at = workFolder();
    const path = at('remote.sock');
    for (let round = 0; round < 4; round += 1) {
      leaveDeadSocket(path);
      const turns = Array.from({ length: 6 }, () => '');
      const heard: number[] = [];
      const closes = await Promise.all(
        turns.map(async (_, index) => {
          const took = await createRemoteSocket(at('.')).listen(
            () => {
              heard.push(index);
              return Promise.resolve(done);
            },
            (turn) => (turns[index] = turn),
          );
          if (!took.ok) throw new Error(took.error.code);
          return took.value;
        }),
      );
      expect(turns.filter((turn) => turn === 'ours')).toHaveLength(1);
      // As each Parley ends, another takes over, in any order.
      for (let left = closes.length; left > 0; left -= 1) {
        await eventually(async () => {
          expect(await createRemoteSocket(at('.')).ask('show')).toEqual({ kind: 'done' });
        });
        const hearing = heard.at(-1) ?? -1;
        await closes[hearing]?.();
      }
      expect(await createRemoteSocket(at('.')).ask('show')).toEqual({ kind: 'nobody' });
    }
    expect(readdirSync(at('.'))).toEqual([]);
  });

  it.each([
    { how: 'found by file events', watch: watchName, lost: [name, folder, name], withinMs: 3000 },
    { how: 'found by polling', watch: noop, lost: [folder], withinMs: 15_000 },
  ])(
    'is reopened after the user has deleted it or its folder, $how',
    { timeout: 60_000 },
    async ({ watch, lost, withinMs }) => {
      const at = workFolder();
      const line = createRemoteSocket(at(folder), process.platform, watch);
      const turns: string[] = [];
      const heard = unwrap(
        await line.listen(
          () => Promise.resolve(done),
          (turn) => turns.push(turn),
        ),
      );
      for (const gone of lost) {
        rmSync(at(gone), { recursive: true });
        await vi.waitFor(
          async () => {
            expect(await line.ask('show')).toEqual({ kind: 'done' });
          },
          { timeout: withinMs, interval: 20 },
        );
      }
      await heard();
      expect(turns).toEqual(['ours']);
      expect(readdirSync(at(folder))).toEqual([]);
    },
  );

  it('is private and makes its folder private, but leaves a shared folder unchanged', async () => {
    const at = workFolder();
    for (const [name, before, after] of [
      ['open', 0o755, 0o700],
      ['shared', 0o1777, 0o1777],
    ] as const) {
      mkdirSync(at(name));
      chmodSync(at(name), before);
      const close = await listenOn(createRemoteSocket(at(name)), () => Promise.resolve(done));
      expect(statSync(at(name)).mode & 0o7777).toBe(after);
      expect(statSync(at(`${name}/remote.sock`)).mode & 0o777).toBe(0o600);
      await close();
    }
  });

  it.runIf(process.getuid?.() === 0)(
    'is not used or removed if it belongs to another account',
    async () => {
      const at = workFolder();
      leaveDeadSocket(at('remote.sock'));
      chownSync(at('remote.sock'), 12_345, 12_345);
      const line = createRemoteSocket(at('.'));
      expect(await line.ask('show')).toMatchObject({
        kind: 'unclear',
        message: expect.stringContaining('belongs to another account') as string,
      });
      expect(await line.listen(() => Promise.resolve(done))).toMatchObject({
        ok: false,
        error: { code: 'commandsUnheard' },
      });
      expect(statSync(at('remote.sock')).uid).toBe(12_345);
    },
  );

  it('reports why it cannot be created; commands then find no Parley', async () => {
    const at = workFolder();
    writeFileSync(at('file'), '');
    const onFile = createRemoteSocket(at('file'));
    expect(await onFile.listen(() => Promise.resolve(done))).toMatchObject({
      ok: false,
      error: { code: 'commandsUnheard' },
    });
    const tooLong = createRemoteSocket(at('x'.repeat(120)));
    expect(await tooLong.listen(() => Promise.resolve(done))).toMatchObject({
      ok: false,
      error: { code: 'commandsPathLong' },
    });
    for (const line of [onFile, tooLong])
      expect(await line.ask('show')).toEqual({ kind: 'nobody' });
  });

  it('closes despite clients that are silent, send too much or are gone', async () => {
    const at = workFolder();
    const asked: string[] = [];
    const close = await listenOn(createRemoteSocket(at('s')), (words) => {
      asked.push(words);
      return Promise.resolve(done);
    });
    const callers = ['', 'x'.repeat(100_000), 'no newline'].map((text) => {
      const socket = connect(at('s/remote.sock'));
      socket.on('error', () => undefined);
      socket.write(text);
      return socket;
    });
    callers[2]?.destroy();
    expect(await createRemoteSocket(at('s')).ask('show')).toEqual({ kind: 'done' });
    await close();
    expect(asked).toEqual(['show']);
    for (const caller of callers) caller.destroy();
  });
});
