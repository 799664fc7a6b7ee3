import { describe, expect, it, vi, afterEach, beforeEach } from 'vitest';
import { loadingSockets } from '../../../../electron/model/loading-sockets.ts';
import { ModelArbiter } from '../../../../electron/model/model-arbiter.ts';
import { failure, type Outcome } from '../../../../shared/errors/app-error.ts';
import type { SocketEnd, SocketListener } from '../../../../shared/ports/sockets.ts';
import { deferred, flushPromises } from '../../../fakes/promises.ts';
import { createBackendCodec, type Backend } from '../../../../electron/gateway/backend.ts';
import { ModelModes } from '../../../../electron/model/model-modes.ts';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import { Listeners } from '../../../../shared/listeners.ts';
import type { ModelServerState } from '../../../../shared/model/local-model-state.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { fakeSpeech } from '../../../fakes/fake-speech.ts';
import { seeded } from '../../../fakes/seeded.ts';
import { StandInServer } from '../../../llama-omni/stand-in-server.ts';

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

it('the connection queues a chat while a talk runs, and frees the model after the chat has ended', async () => {
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

describe('the mode that the model is loaded in', () => {
  const loadMs = 12_000;
  const ready = { kind: 'ready', pace: undefined } as const;

  /** The stand-in with its model loaded for talks. The test sets the state of its process. */
  class Stage {
    readonly clock = new FakeClock();
    readonly listeners = new Listeners<ModelServerState>();
    readonly omni = new StandInServer({
      clock: this.clock,
      random: seeded(1),
      speech: fakeSpeech,
      faults: { loadMs },
      contextSize: 4096,
      modelFolder: 'model',
      media: { save: () => undefined, remove: () => undefined },
      log: () => undefined,
      exit: () => undefined,
    });
    readonly server = {
      state: ready as ModelServerState,
      expectedLoadMs: loadMs,
      listen: (listener: (state: ModelServerState) => void) => this.listeners.add(listener),
      ready: () => Promise.resolve({ ok: true, value: 'ws://127.0.0.1:1/backend' } as const),
      unload: () => Promise.resolve(),
    };
    readonly modes = new ModelModes({
      clock: this.clock,
      server: this.server,
      backend: this.backend(),
      codec: createBackendCodec(bufferBase64),
      voice: () => Promise.resolve(new Float32Array(16_000)),
    });

    show(state: ModelServerState): void {
      this.server.state = state;
      this.listeners.emit(state);
    }

    async pass(ms: number): Promise<void> {
      for (let left = ms; left > 0; left -= 50) {
        this.clock.advance(Math.min(50, left));
        await flushPromises();
      }
    }

    backend(): Backend {
      return {
        name: 'here',
        serves: 'both',
        connect: (listener) => {
          const connection = this.omni.connect({
            send: (text) => this.clock.after(0, () => listener.received(text)),
            close: () =>
              this.clock.after(0, () => listener.ended({ kind: 'closed', code: 1000, reason: '' })),
          });
          this.clock.after(0, () => listener.opened());
          return {
            send: (text) => connection.receive(text),
            close: () => connection.disconnected(),
            terminate: () => connection.disconnected(),
          };
        },
        closeSession: (id) => this.omni.closeSession(id),
        isHealthy: () => Promise.resolve(true),
      };
    }
  }

  let stage: Stage;

  beforeEach(() => {
    stage = new Stage();
  });

  afterEach(() => stage.omni.end());

  it('changes before a session of another mode begins, with a known wait', async () => {
    const { modes, omni } = stage;
    expect(modes.waitFor('talk')).toBeUndefined();
    expect(modes.waitFor('chat')).toEqual({ seconds: 12 });
    const switched = modes.ready('chat');
    await flushPromises();
    await stage.pass(3000);
    expect(modes.state).toEqual({
      kind: 'loading',
      switchesTo: 'chat',
      progress: 0.25,
      secondsLeft: 9,
    });
    await stage.pass(10_000);
    expect((await switched).ok).toBe(true);
    expect(modes.state).toEqual(ready);
    expect(modes.waitFor('chat')).toBeUndefined();
    await modes.ready('chat');
    expect(omni.report.loads).toBe(1);
  });

  it('changes after the previous session has closed', async () => {
    const { modes, omni, clock } = stage;
    const last = omni.connect({ send: () => undefined, close: () => undefined });
    clock.after(2000, () => last.disconnected());
    const switched = modes.ready('chat');
    await stage.pass(15_000);
    await switched;
    expect(modes.waitFor('chat')).toBeUndefined();
    expect(omni.report.loads).toBe(1);
  });

  it('changes to talk again if a talk waited for the change to chat', async () => {
    const { modes, omni } = stage;
    const first = modes.ready('chat');
    await stage.pass(2000);
    const second = modes.ready('talk');
    await stage.pass(13_000);
    expect((await first).ok).toBe(true);
    expect(modes.state).toMatchObject({ kind: 'loading', switchesTo: 'talk' });
    await stage.pass(13_000);
    expect((await second).ok).toBe(true);
    expect(modes.waitFor('talk')).toBeUndefined();
    expect(omni.report.loads).toBe(2);
  });

  it('is talk again after the process has restarted', async () => {
    const { modes } = stage;
    const switched = modes.ready('chat');
    await stage.pass(13_000);
    await switched;
    stage.show({ kind: 'loading', progress: 0, secondsLeft: 40 });
    expect(modes.waitFor('chat')).toEqual({ seconds: 40 });
    stage.show(ready);
    expect(modes.waitFor('talk')).toBeUndefined();
    expect(modes.waitFor('chat')).toEqual({ seconds: 12 });
  });
});
