import { expect, it, vi } from 'vitest';
import { loadingSockets } from '../../../../electron/model/loading-sockets.ts';
import { ModelArbiter } from '../../../../electron/model/model-arbiter.ts';
import { failure, type Outcome } from '../../../../shared/errors/app-error.ts';
import type { SocketEnd, SocketListener } from '../../../../shared/ports/sockets.ts';
import { deferred } from '../../../fakes/deferred.ts';
import { flushPromises } from '../../../fakes/flush-promises.ts';

const loaded: Outcome<string> = { ok: true, value: 'ws://127.0.0.1:1/backend' };

type Chats = Parameters<typeof loadingSockets>[0]['chats'];

function stage(
  wait: { readonly seconds: number | undefined } | undefined,
  arbiter = new ModelArbiter(),
  mode = 'audio',
  chats?: Chats,
) {
  const ready = deferred();
  let outcome: Outcome<string> = loaded;
  const heard: string[] = [];
  const ends: SocketEnd[] = [];
  let model: SocketListener | undefined;
  const sockets = loadingSockets({
    chats,
    server: { waitFor: () => wait, ready: () => ready.promise.then(() => outcome) },
    arbiter,
    open: () =>
      Promise.resolve({
        ok: true,
        value: {
          connect: (_mode, listener) => {
            model = listener;
            return { send: () => undefined, close: () => undefined, terminate: () => undefined };
          },
        },
      }),
  });
  const socket = sockets.connect(mode, {
    opened: () => heard.push('opened'),
    received: (text) => heard.push(text ?? ''),
    ended: (end) => ends.push(end),
  });
  const settle = (settled: Outcome<string>): void => {
    outcome = settled;
    ready.resolve();
  };
  return { settle, heard, ends, socket, model: () => model };
}

it('the connection queues the client while the model loads, and passes the gateway’s events on afterwards', async () => {
  const { heard, settle, model } = stage({ seconds: 30 });
  expect(heard).toEqual([]);
  await flushPromises();
  expect(heard).toEqual([
    'opened',
    '{"type":"session.queued","position":1,"queue_length":1,"estimated_wait_s":30}',
  ]);
  settle(loaded);
  await flushPromises();
  model()?.opened();
  model()?.received('{"type":"session.queue_done"}');
  expect(heard.slice(2)).toEqual(['{"type":"session.queue_done"}']);
});

it('the connection opens once, without a queue, if the model is loaded', async () => {
  const { heard, settle, model } = stage(undefined);
  settle(loaded);
  await flushPromises();
  model()?.opened();
  expect(heard).toEqual(['opened']);
});

it('the connection ends with the reason if the model cannot be loaded', async () => {
  const { ends, settle } = stage({ seconds: undefined });
  settle(failure('modelCardMemory'));
  await flushPromises();
  expect(ends).toMatchObject([
    { kind: 'unreachable', permanent: true, error: { code: 'modelCardMemory' } },
  ]);
});

it('the connection is not made after the client has left', async () => {
  const { ends, settle, socket, model } = stage({ seconds: undefined });
  await flushPromises();
  socket.terminate();
  settle(loaded);
  await flushPromises();
  expect(ends).toEqual([{ kind: 'closed', code: 1006, reason: '' }]);
  expect(model()).toBeUndefined();
});

it('the connection queues a chat while a talk runs, and frees the model when it has ended', async () => {
  const arbiter = new ModelArbiter();
  arbiter.setTalking(true);
  const { heard, settle, model } = stage({ seconds: 12 }, arbiter, 'chat');
  await flushPromises();
  expect(heard).toEqual(['opened', '{"type":"session.queued","position":1,"queue_length":1}']);
  arbiter.setTalking(false);
  settle(loaded);
  await flushPromises();
  expect(heard.slice(2)).toEqual([
    '{"type":"session.queue_update","position":1,"queue_length":1,"estimated_wait_s":12}',
  ]);
  expect(arbiter.user).toBe('chat');
  model()?.ended({ kind: 'closed', code: 1000, reason: '' });
  expect(arbiter.user).toBeUndefined();
});

it('the connection leaves the queue if the client leaves', async () => {
  const arbiter = new ModelArbiter();
  arbiter.setTalking(true);
  const { socket } = stage(undefined, arbiter, 'chat');
  await flushPromises();
  socket.terminate();
  arbiter.setTalking(false);
  await flushPromises();
  expect(arbiter.user).toBeUndefined();
});

it('the connection opens a chat in its own process while a talk runs, without a turn', async () => {
  const arbiter = new ModelArbiter();
  arbiter.setTalking(true);
  const enter = vi.spyOn(arbiter, 'enter');
  const loading = deferred();
  const connected: string[] = [];
  const chats: Chats = {
    waitFor: () => ({ seconds: 40 }),
    open: async () => {
      await loading.promise;
      const socket = { send: () => undefined, close: () => undefined, terminate: () => undefined };
      const connect = (mode: string) => {
        connected.push(mode);
        return socket;
      };
      return { ok: true, value: { connect } };
    },
  };
  const { heard } = stage(undefined, arbiter, 'chat', chats);
  await flushPromises();
  expect(heard).toEqual([
    'opened',
    '{"type":"session.queued","position":1,"queue_length":1,"estimated_wait_s":40}',
  ]);
  loading.resolve();
  await flushPromises();
  expect(connected).toEqual(['chat']);
  expect(enter).not.toHaveBeenCalled();
  expect(arbiter.user).toBe('talk');
});

it('the connection opens a chat after the talk if the chat process cannot run', async () => {
  const arbiter = new ModelArbiter();
  arbiter.setTalking(true);
  const chats: Chats = { waitFor: () => undefined, open: () => Promise.resolve(undefined) };
  const { heard, settle, model } = stage(undefined, arbiter, 'chat', chats);
  await flushPromises();
  expect(heard).toHaveLength(2);
  arbiter.setTalking(false);
  settle(loaded);
  await flushPromises();
  expect(arbiter.user).toBe('chat');
  expect(model()).toBeDefined();
});

/** An arbiter, and the names of those that it has let in. */
function arbiterStage() {
  const arbiter = new ModelArbiter();
  const inside: string[] = [];
  const enter = (name: string): Promise<() => void> => {
    const entering = arbiter.enter(name.startsWith('talk') ? 'talk' : 'chat');
    void entering.then(() => inside.push(name));
    return entering;
  };
  return { arbiter, inside, enter };
}

it('the arbiter makes a chat wait for the end of the talk, also while the talk has no session', async () => {
  const { arbiter, inside, enter } = arbiterStage();
  arbiter.setTalking(true);
  const leave = await enter('talk');
  void enter('chat');
  leave();
  await flushPromises();
  expect(arbiter.user).toBe('talk');
  const leaveAgain = await enter('talk again');
  leaveAgain();
  await flushPromises();
  expect(inside).toEqual(['talk', 'talk again']);
  arbiter.setTalking(false);
  await flushPromises();
  expect(inside).toEqual(['talk', 'talk again', 'chat']);
  expect(arbiter.user).toBe('chat');
});

it('the arbiter asks a chat to end when a talk waits, and admits the talk before the next chat', async () => {
  const { arbiter, inside, enter } = arbiterStage();
  const onTalkWaits = vi.fn();
  arbiter.onTalkWaits(onTalkWaits);
  const leave = await enter('chat');
  expect(onTalkWaits).not.toHaveBeenCalled();
  void enter('talk');
  void enter('next chat');
  await flushPromises();
  expect(onTalkWaits).toHaveBeenCalledTimes(1);
  expect(inside).toEqual(['chat']);
  leave();
  await flushPromises();
  expect(inside).toEqual(['chat', 'talk']);
});

it('the arbiter admits sessions of one mode together, because the gateway queues them', async () => {
  const { inside, enter } = arbiterStage();
  await Promise.all([enter('chat'), enter('chat of another page')]);
  expect(inside).toHaveLength(2);
});
