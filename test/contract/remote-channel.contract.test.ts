import { failure } from '../../shared/errors/app-error.ts';
import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createRemoteSocket } from '../../electron/adapters/remote/remote-socket.ts';
import type { RemoteChannel } from '../../electron/ports/remote-channel.ts';
import { fakeRemoteChannels } from '../fakes/fake-remote-channel.ts';
import { workFolder } from '../fakes/work-folder.ts';

const done = { ok: true, value: undefined } as const;

/** Listens, and hands out what stops it. */
async function listening(line: RemoteChannel, answer: Parameters<RemoteChannel['listen']>[0]) {
  const heard = await line.listen(answer);
  if (!heard.ok) throw new Error(heard.error.code);
  return heard.value;
}

function socketLines(): (name: string) => RemoteChannel {
  const at = workFolder();
  return (name) => createRemoteSocket(at(name));
}

describe.each([
  { name: 'socket', lines: socketLines },
  { name: 'fake', lines: fakeRemoteChannels },
])('a remote line, the $name', ({ lines }) => {
  it('carries words there and a sentence back, to whom they are for', async () => {
    const at = lines();
    const asked: string[] = [];
    const close = await listening(at('one'), (words) => {
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
    await close?.();
    expect(await at('one').ask('ptt press')).toEqual({ kind: 'nobody' });
    expect(asked).toEqual(['ptt press', 'sing']);
  });

  it('is heard by one, and by the next when that one has gone', async () => {
    const at = lines();
    const close = await listening(at('one'), () => Promise.resolve(done));
    expect(await listening(at('one'), () => Promise.resolve(done))).toBeUndefined();
    await close?.();
    const next = await listening(at('one'), () => Promise.resolve(done));
    expect(next).toBeDefined();
    await next?.();
  });

  it('carries many at once, and none is answered with the answer to another', async () => {
    const at = lines();
    const close = await listening(at('one'), (words) =>
      Promise.resolve(failure('notText', { path: words })),
    );
    const asked = Array.from({ length: 50 }, (_each, index) => `number ${index}`);
    const answers = await Promise.all(asked.map((words) => at('one').ask(words)));
    expect(answers).toEqual(
      asked.map((path) => ({ kind: 'refused', message: `${path} is not a text file.` })),
    );
    await close?.();
  });
});

describe('the socket of a remote line', () => {
  it('is for this account alone', async () => {
    const at = workFolder();
    const close = await listening(createRemoteSocket(at('s')), () => Promise.resolve(done));
    expect(statSync(at('s/remote.sock')).mode & 0o777).toBe(0o600);
    expect(statSync(at('s')).mode & 0o777).toBe(0o700);
    await close?.();
  });

  it('is taken over from a Parley that was killed', async () => {
    const at = workFolder();
    const path = at('remote.sock');
    const killed = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
    expect(spawnSync(process.execPath, ['-e', killed]).signal).toBe('SIGKILL');
    expect(statSync(path).isSocket()).toBe(true);
    const line = createRemoteSocket(at('.'));
    expect(await line.ask('show')).toEqual({ kind: 'nobody' });
    const close = await listening(line, () => Promise.resolve(done));
    expect(await line.ask('show')).toEqual({ kind: 'done' });
    await close?.();
  });

  it('says why it cannot be, and asks nobody there', async () => {
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

  it('ends with callers that say nothing, too much, or go in the middle', async () => {
    const at = workFolder();
    const asked: string[] = [];
    const close = await listening(createRemoteSocket(at('s')), (words) => {
      asked.push(words);
      return Promise.resolve(done);
    });
    const callers = ['', 'x'.repeat(100_000), 'no end of it'].map((said) => {
      const socket = connect(at('s/remote.sock'));
      socket.on('error', () => undefined);
      socket.write(said);
      return socket;
    });
    callers[2]?.destroy();
    expect(await createRemoteSocket(at('s')).ask('show')).toEqual({ kind: 'done' });
    await close?.();
    expect(asked).toEqual(['show']);
    for (const caller of callers) caller.destroy();
  });
});
