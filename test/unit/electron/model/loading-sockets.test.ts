import { expect, it } from 'vitest';
import { loadingSockets } from '../../../../electron/model/loading-sockets.ts';
import { failure, type Outcome } from '../../../../shared/errors/app-error.ts';
import type { ModelServerState } from '../../../../shared/model/local-model.ts';
import type { SocketEnd, SocketListener } from '../../../../shared/ports/sockets.ts';
import { deferred } from '../../../fakes/deferred.ts';
import { flushPromises } from '../../../fakes/flush-promises.ts';

const loaded: Outcome<string> = { ok: true, value: 'ws://127.0.0.1:1/backend' };

function stage(state: ModelServerState) {
  const ready = deferred();
  let outcome: Outcome<string> = loaded;
  const heard: string[] = [];
  const ends: SocketEnd[] = [];
  let model: SocketListener | undefined;
  const sockets = loadingSockets({
    server: { state, ready: () => ready.promise.then(() => outcome) },
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
  const settle = (settled: Outcome<string>): void => {
    outcome = settled;
    ready.resolve();
  };
  return { settle, heard, ends, socket, model: () => model };
}

it('queues the client while the model loads, and passes the gateway’s events on afterwards', async () => {
  const { heard, settle, model } = stage({ kind: 'loading', progress: 0.1, secondsLeft: 30 });
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

it('opens once, without a queue, if the model is loaded', async () => {
  const { heard, settle, model } = stage({ kind: 'ready', pace: undefined });
  settle(loaded);
  await flushPromises();
  model()?.opened();
  expect(heard).toEqual(['opened']);
});

it('ends in words if the model cannot be loaded', async () => {
  const { ends, settle } = stage({ kind: 'stopped' });
  settle(failure('modelCardMemory'));
  await flushPromises();
  expect(ends).toMatchObject([
    { kind: 'unreachable', permanent: true, error: { code: 'modelCardMemory' } },
  ]);
});

it('does not connect after the client has left', async () => {
  const { ends, settle, socket, model } = stage({ kind: 'stopped' });
  await flushPromises();
  socket.terminate();
  settle(loaded);
  await flushPromises();
  expect(ends).toEqual([{ kind: 'closed', code: 1006, reason: '' }]);
  expect(model()).toBeUndefined();
});
