import { expect, it } from 'vitest';
import { createBackendCodec, type Backend } from '../../../../electron/gateway/backend.ts';
import { paceOf } from '../../../../electron/model/model-pace.ts';
import type { ModelProcessListener } from '../../../../electron/model/model-run.ts';
import {
  ModelSupervisor,
  type RememberedLoad,
} from '../../../../electron/model/model-supervisor.ts';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import type { Outcome } from '../../../../shared/errors/app-error.ts';
import type { ModelServerState, ModelUser } from '../../../../shared/model/local-model-state.ts';
import type { SocketListener } from '../../../../shared/ports/sockets.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { deferred, flushPromises } from '../../../fakes/promises.ts';

const files = [
  { path: 'a.gguf', bytes: 600, sha256: '' },
  { path: 'b.gguf', bytes: 400, sha256: '' },
];

/** A supervisor of a fake process. The test sends the output of the process, whose steps take `stepMs`. */
class Stage {
  readonly clock = new FakeClock();
  readonly states: string[] = [];
  starts = 0;
  stepMs = 100;
  idleMs = 0;
  endsOnTerminate = true;
  hasBackend = true;
  appends = 0;
  kills: string[] = [];
  remembered: RememberedLoad | undefined;
  /** Asks another process to release the card's memory; undefined if there is no such process. */
  freeMemory: () => Promise<void> | undefined = () => undefined;
  /** The system refuses to run the program. */
  isRefused = false;
  /** The program is started once the files are verified. */
  verified: Promise<void> = Promise.resolve();
  readonly inits: string[] = [];
  listener: ModelProcessListener | undefined;
  #socket: SocketListener | undefined;
  readonly server: ModelSupervisor;

  constructor(user: ModelUser = 'talk') {
    this.server = new ModelSupervisor(
      {
        clock: this.clock,
        log: { write: () => undefined },
        start: async (listener) => {
          this.starts += 1;
          this.listener = listener;
          if (this.isRefused) throw new Error('spawn UNKNOWN');
          await this.verified;
          return {
            ok: true,
            value: {
              address: `ws://127.0.0.1:${this.starts}/backend`,
              program: '/bin/omni',
              terminate: () => {
                this.kills.push('terminate');
                if (this.endsOnTerminate) this.exit('SIGTERM');
              },
              kill: () => {
                this.kills.push('kill');
                this.exit('SIGKILL');
              },
            },
          };
        },
        freeMemory: () => this.freeMemory(),
        openBackend: () => this.#backend(),
        codec: createBackendCodec(bufferBase64),
        voice: () => Promise.resolve(new Float32Array(16)),
        timings: {
          recall: () => Promise.resolve(this.remembered),
          remember: (load) => {
            this.remembered = load;
          },
        },
      },
      { user, idleMs: () => this.idleMs, files },
    );
    this.server.listen(({ kind }: ModelServerState) => {
      if (this.states.at(-1) !== kind) this.states.push(kind);
    });
  }

  exit(signal: string): void {
    this.listener?.ended({ code: undefined, signal });
  }

  disconnect(): void {
    this.#socket?.ended({ kind: 'closed', code: 1006, reason: '' });
  }

  created(): void {
    this.#socket?.received(JSON.stringify({ type: 'session.created', session_id: 's' }));
  }

  /** Lets timers and promises run for this long. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 50) {
      this.clock.advance(Math.min(50, left));
      await flushPromises();
    }
  }

  /** Loads the model to the end. */
  async load(): Promise<Outcome<string>> {
    const ready = this.server.ready();
    await this.pass(50);
    this.created();
    await this.pass(11 * this.stepMs + 100);
    return ready;
  }

  #backend(): Backend {
    return {
      name: 'here',
      serves: 'both',
      connect: (listener) => {
        this.#socket = listener;
        this.clock.after(0, () => {
          if (this.hasBackend) listener.opened();
          else listener.ended({ kind: 'refused', status: 404, body: '' });
        });
        return {
          send: (text) => {
            const [, mode] = /"mode":"(\w+)"/u.exec(text) ?? [];
            if (mode !== undefined) this.inits.push(mode);
            if (!text.includes('input.append')) return;
            this.appends += 1;
            this.clock.after(this.stepMs, () =>
              listener.received('{"type":"response.output.delta","kind":"listen"}'),
            );
          },
          close: () => undefined,
          terminate: () => undefined,
        };
      },
      closeSession: () => Promise.resolve(true),
      isHealthy: () => Promise.resolve(true),
    };
  }
}

function progressOf({ server }: Stage): number {
  return server.state.kind === 'loading' ? server.state.progress : Number.NaN;
}

it('the supervisor starts the program on the first use, and is ready after one session has warmed up the model', async () => {
  const stage = new Stage();
  const ready = await stage.load();
  expect(ready).toEqual({ ok: true, value: 'ws://127.0.0.1:1/backend' });
  expect(stage.server.address).toBe('ws://127.0.0.1:1/backend');
  expect(stage.states).toEqual(['loading', 'ready']);
  expect(stage.starts).toBe(1);
  await stage.server.ready();
  expect(stage.starts).toBe(1);
});

it('the supervisor advances the progress within a file by its dots or by time, never past its end', async () => {
  const stage = new Stage();
  void stage.server.ready();
  await stage.pass(50);
  stage.listener?.output('loaded meta data from /m/a.gguf\n..........');
  stage.listener?.output('..............................');
  await stage.pass(600);
  expect(progressOf(stage)).toBeCloseTo(0.6 * 0.4, 5);
  await stage.pass(15_000);
  expect(progressOf(stage)).toBeGreaterThan(0.37);
  await stage.pass(60_000);
  expect(progressOf(stage)).toBeLessThan(0.6);
});

it('the supervisor is ready after the first quick step, and judges the pace by the steps of a talk', async () => {
  const stage = new Stage();
  await stage.load();
  expect(stage.appends).toBe(1);
  expect(stage.server.state).toEqual({ kind: 'ready', pace: undefined });
  for (let step = 0; step < 8; step += 1) stage.server.addStep(950, true);
  expect(stage.server.pace).toBeUndefined();
  stage.server.addStep(950, true);
  const pace = { medianMs: 750, p90Ms: 750, verdict: 'fewPictures' };
  expect(stage.server.state).toEqual({ kind: 'ready', pace });
  stage.server.addStep(5000, false);
  expect(stage.server.state).toEqual({ kind: 'ready', pace });
  expect(stage.remembered).toMatchObject({ pace });
});

it('the supervisor recalls the time and pace of the last run, and measures a slow model again', async () => {
  const stage = new Stage();
  stage.remembered = { loadMs: 12_000, pace: paceOf(950, 1000) };
  await stage.server.recall();
  expect(stage.server.pace?.verdict).toBe('chatOnly');
  const ready = stage.server.ready();
  await stage.pass(50);
  expect(stage.server.state).toMatchObject({ kind: 'loading', secondsLeft: 12 });
  stage.created();
  await stage.pass(1200);
  await ready;
  expect(stage.appends).toBe(10);
  expect(stage.server.pace?.verdict).toBe('voice');
});

it('the supervisor starts again after a crash, with growing pauses, and gives up at the third', async () => {
  const stage = new Stage();
  await stage.load();
  stage.exit('SIGSEGV');
  expect(stage.server.state).toMatchObject({ kind: 'restarting', seconds: 1 });
  expect(stage.server.address).toBeUndefined();
  const waiting = stage.server.ready();
  await stage.pass(1050);
  expect(stage.starts).toBe(2);
  stage.exit('SIGSEGV');
  expect(stage.server.state).toMatchObject({ kind: 'restarting', seconds: 2 });
  await stage.pass(2050);
  stage.listener?.output('GGML_ASSERT failed\n');
  stage.exit('SIGABRT');
  expect(stage.server.state).toMatchObject({
    kind: 'failed',
    error: {
      code: 'modelCrashLoop',
      facts: { times: 3 },
      cause: { code: 'modelExited', facts: { line: 'GGML_ASSERT failed' } },
    },
  });
  expect(await waiting).toMatchObject({ ok: false, error: { code: 'modelCrashLoop' } });
  await stage.pass(60_000);
  expect(stage.starts).toBe(3);
});

it('the supervisor waits for the verification of the files, and starts again if the program is silent after that', async () => {
  const stage = new Stage();
  const verified = deferred();
  stage.verified = verified.promise;
  void stage.server.ready();
  await stage.pass(170_000);
  await stage.pass(170_000);
  expect(stage.states).toEqual(['loading']);
  verified.resolve();
  await stage.pass(170_000);
  expect(stage.states).toEqual(['loading']);
  await stage.pass(20_000);
  expect(stage.states).toEqual(['loading', 'restarting', 'loading']);
  await stage.server.end();
});

it('the supervisor remembers how long the program loaded, without the verification of the files', async () => {
  const stage = new Stage();
  const verified = deferred();
  stage.verified = verified.promise;
  void stage.server.ready();
  await stage.pass(60_000);
  verified.resolve();
  await stage.pass(50);
  stage.created();
  await stage.pass(11 * stage.stepMs + 100);
  expect(stage.server.state.kind).toBe('ready');
  expect(stage.remembered?.loadMs).toBeLessThan(10_000);
});

it('the supervisor does not try again when the card has too little memory', async () => {
  const stage = new Stage();
  const ready = stage.server.ready();
  await stage.pass(50);
  stage.listener?.output('alloc: cudaMalloc failed: out of memory\nfailed to load model\n');
  stage.exit('SIGABRT');
  expect(await ready).toMatchObject({ ok: false, error: { code: 'modelCardMemory' } });
  await stage.pass(60_000);
  expect(stage.starts).toBe(1);
});

it('the supervisor reports a program that the system refuses to run, and does not keep a talk waiting', async () => {
  const stage = new Stage();
  stage.isRefused = true;
  const answers: Outcome<string>[] = [];
  void stage.server.ready().then((answer) => answers.push(answer));
  await stage.pass(50);
  expect(stage.server.state.kind).toBe('failed');
  expect(answers).toMatchObject([{ ok: false, error: { code: 'modelExited' } }]);
});

it('the supervisor starts again when a talk has filled its temporary folder', async () => {
  const stage = new Stage();
  await stage.load();
  const line = 'omni_ws: failed to write /tmp/p/omni_ws/s/000900.wav: No space left on device\n';
  stage.listener?.output(line);
  expect(stage.server.state).toMatchObject({
    kind: 'restarting',
    error: { code: 'modelTemporaryFull', facts: { path: '/tmp/p' } },
  });
  await stage.pass(2050);
  expect(stage.kills).toEqual(['terminate']);
  expect(stage.starts).toBe(2);
});

it('the supervisor calls a program without /backend an older one, and ends it', async () => {
  const stage = new Stage();
  stage.hasBackend = false;
  const ready = stage.server.ready();
  await stage.pass(200);
  expect(await ready).toMatchObject({
    ok: false,
    error: { code: 'modelProgramOld', facts: { path: '/bin/omni' } },
  });
  expect(stage.kills).toEqual(['terminate']);
});

it('the supervisor unloads the model after the idle time without a session', async () => {
  const stage = new Stage();
  stage.idleMs = 60_000;
  await stage.load();
  const release = stage.server.trackSession(() => Promise.resolve());
  await stage.pass(120_000);
  expect(stage.server.state.kind).toBe('ready');
  release();
  await stage.pass(59_000);
  expect(stage.server.state.kind).toBe('ready');
  await stage.pass(2000);
  expect(stage.server.state.kind).toBe('stopped');
  expect(stage.kills).toEqual(['terminate']);
  expect((await stage.load()).ok).toBe(true);
  expect(stage.starts).toBe(2);
});

it('the supervisor follows a change of the idle time while the model is idle', async () => {
  const stage = new Stage();
  stage.idleMs = 60_000;
  await stage.load();
  stage.idleMs = 0;
  stage.server.restartIdleTimer();
  await stage.pass(61_000);
  expect(stage.server.state.kind).toBe('ready');
  stage.idleMs = 30_000;
  stage.server.restartIdleTimer();
  await stage.pass(31_000);
  expect(stage.server.state.kind).toBe('stopped');
});

it('the supervisor kills a process that does not end, within eight seconds', async () => {
  const stage = new Stage();
  await stage.load();
  stage.endsOnTerminate = false;
  stage.server.trackSession(() => new Promise(() => undefined));
  let hasEnded = false;
  const end = async (): Promise<void> => {
    await stage.server.end();
    hasEnded = true;
  };
  void end();
  await stage.pass(7900);
  expect(stage.kills).toEqual(['terminate', 'kill']);
  expect(hasEnded).toBe(true);
  expect(await stage.server.ready()).toMatchObject({ ok: false, error: { code: 'modelStopped' } });
});

it('the supervisor loads the model for chats by one session in chat mode, without a measured step', async () => {
  const stage = new Stage('chat');
  expect(await stage.load()).toMatchObject({ ok: true });
  expect(stage.inits).toEqual(['turn_based']);
  expect(stage.appends).toBe(0);
  expect(stage.server.state).toEqual({ kind: 'ready', pace: undefined });
});

it('the supervisor loads again after another process has made room on the card', async () => {
  const stage = new Stage();
  let free: () => void = () => undefined;
  stage.freeMemory = () => {
    stage.freeMemory = () => undefined;
    return new Promise((resolve) => {
      free = resolve;
    });
  };
  const ready = stage.server.ready();
  await stage.pass(50);
  stage.listener?.output('alloc: cudaMalloc failed: out of memory\n');
  stage.exit('SIGABRT');
  await stage.pass(1000);
  expect(stage.starts).toBe(1);
  free();
  await stage.pass(100);
  stage.created();
  await stage.pass(500);
  expect(await ready).toMatchObject({ ok: true });
  expect(stage.starts).toBe(2);
});

it('the supervisor pauses between pictures while the newest steps are slow, and judges the pace only by steps without a chat', async () => {
  const stage = new Stage();
  await stage.load();
  for (let step = 0; step < 12; step += 1) stage.server.addStep(850, false, false);
  expect(stage.server.minPauseMs).toBe(2000);
  expect(stage.server.pace).toBeUndefined();
  for (let step = 0; step < 10; step += 1) stage.server.addStep(500, false);
  expect(stage.server.minPauseMs).toBe(0);
  expect(stage.server.pace?.verdict).toBe('voice');
  for (let step = 0; step < 10; step += 1) stage.server.addStep(950, false, false);
  expect(stage.server.minPauseMs).toBe(2000);
  expect(stage.server.pace?.verdict).toBe('voice');
});
