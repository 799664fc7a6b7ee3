import { afterEach, beforeEach, expect, it } from 'vitest';
import { createBackendCodec, type Backend } from '../../../../electron/gateway/backend.ts';
import { ModelModes } from '../../../../electron/model/model-modes.ts';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import { Listeners } from '../../../../shared/listeners.ts';
import type { ModelServerState } from '../../../../shared/model/local-model.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { fakeSpeech } from '../../../fakes/fake-speech.ts';
import { flushPromises } from '../../../fakes/flush-promises.ts';
import { seeded } from '../../../fakes/seeded.ts';
import { StandInServer } from '../../../llama-omni/stand-in-server.ts';

const loadMs = 12_000;
const ready = { kind: 'ready', pace: undefined } as const;

/** The stand-in, loaded for a talk, and how the process behind it fares. */
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

it('the model loads another mode before its session begins, and says for how long', async () => {
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

it('the model waits until the previous session has closed', async () => {
  const { modes, omni, clock } = stage;
  const last = omni.connect({ send: () => undefined, close: () => undefined });
  clock.after(2000, () => last.disconnected());
  const switched = modes.ready('chat');
  await stage.pass(15_000);
  await switched;
  expect(modes.waitFor('chat')).toBeUndefined();
  expect(omni.report.loads).toBe(1);
});

it('the model loads the mode of a talk that waited for a chat’s', async () => {
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

it('the model is in the mode of talks after the process was started again', async () => {
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
