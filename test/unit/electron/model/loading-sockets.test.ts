import { expect, it } from 'vitest';
import { loadingSockets } from '../../../../electron/model/loading-sockets.ts';
import { failure, type Outcome } from '../../../../shared/errors/app-error.ts';
import type { ModelServerState } from '../../../../shared/model/local-model.ts';
import type { SocketEnd, SocketListener } from '../../../../shared/ports/sockets.ts';
import { deferred } from '../../../fakes/deferred.ts';
import { flushPromises } from '../../../fakes/flush-promises.ts';

function stage(state: ModelServerState) {
  const ready = deferred<Outcome<string>>();
  const heard: string[] = [];
  const ends: SocketEnd[] = [];
  let model: SocketListener | undefined;
  const sockets = loadingSockets({
    server: { state, ready: () => ready.promise },
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
  const socket = sockets.connect('audio', {
    opened: () => heard.push('opened'),
    received: (text) => heard.push(text ?? ''),
    ended: (end) => ends.push(end),
  });
  return { ready, heard, ends, socket, model: () => model };
}

it('queues the client while the model loads, and passes the gateway’s events on afterwards', async () => {
  const { heard, ready, model } = stage({ kind: 'loading', progress: 0.1, secondsLeft: 30 });
  expect(heard).toEqual([]);
  await flushPromises();
  expect(heard).toEqual([
    'opened',
    '{"type":"session.queued","position":1,"queue_length":1,"estimated_wait_s":30}',
  ]);
  ready.resolve({ ok: true, value: 'ws://127.0.0.1:1/backend' });
  await flushPromises();
  model()?.opened();
  model()?.received('{"type":"session.queue_done"}');
  expect(heard.slice(2)).toEqual(['{"type":"session.queue_done"}']);
});

it('opens once, without a queue, if the model is loaded', async () => {
  const { heard, ready, model } = stage({ kind: 'ready', pace: undefined });
  ready.resolve({ ok: true, value: 'ws://127.0.0.1:1/backend' });
  await flushPromises();
  model()?.opened();
  expect(heard).toEqual(['opened']);
});

it('ends in words if the model cannot be loaded', async () => {
  const { ends, ready } = stage({ kind: 'stopped' });
  ready.resolve(failure('modelCardMemory'));
  await flushPromises();
  expect(ends).toMatchObject([
    { kind: 'unreachable', permanent: true, error: { code: 'modelCardMemory' } },
  ]);
});

it('does not connect after the client has left', async () => {
  const { ends, ready, socket, model } = stage({ kind: 'stopped' });
  await flushPromises();
  socket.terminate();
  ready.resolve({ ok: true, value: 'ws://127.0.0.1:1/backend' });
  await flushPromises();
  expect(ends).toEqual([{ kind: 'closed', code: 1006, reason: '' }]);
  expect(model()).toBeUndefined();
});
