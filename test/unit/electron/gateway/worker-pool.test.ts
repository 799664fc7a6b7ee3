import { describe, expect, it } from 'vitest';
import {
  estimateQueueSeconds,
  openWorkerPool,
  type QueuePlace,
  type WorkerPool,
  type WorkerRequest,
} from '../../../../electron/gateway/worker-pool.ts';
import { setGatewayScene } from './gateway-client.ts';
import { flushPromises } from '../../../fakes/promises.ts';
import { delay } from '../../../../shared/ports/clock.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { FakeSocket } from '../../../fakes/fake-sockets.ts';
import type { Backend, BackendPreparation } from '../../../../electron/gateway/backend.ts';
import type { Mode } from '../../../../shared/protocol/realtime-api.ts';

describe('the queue', () => {
  it('admits at once while a worker is free', () => {
    const { enter } = setGatewayScene({ workers: 2 });
    expect(enter('audio').kinds).toEqual(['admitted']);
    expect(enter('video').kinds).toEqual(['admitted']);
  });

  it('sends position, length, ticket and the estimated wait', () => {
    const { enter } = setGatewayScene({ workers: 2 });
    enter('audio');
    enter('video');
    const [third, fourth, fifth] = [enter('audio'), enter('chat'), enter('audio')];
    expect(third.events).toMatchObject([
      { kind: 'queued', stage: 'joined', position: 1, length: 1, etaSeconds: 90 },
    ]);
    expect(fourth.events).toMatchObject([{ position: 2, length: 2, etaSeconds: 120 }]);
    expect(fifth.events).toMatchObject([{ position: 3, length: 3, etaSeconds: 135 }]);
    expect(third.last('queued')?.ticket).toMatch(/^ticket_[0-9a-f]{12}$/);
    expect(third.last('queued')?.ticket).not.toBe(fourth.last('queued')?.ticket);
  });

  it('updates every three seconds with a decreasing wait', () => {
    const { enter, clock } = setGatewayScene({ workers: 1 });
    enter('video');
    const waiting = enter('audio');
    clock.advance(9500);
    expect(waiting.frames.map(({ at }) => at)).toEqual([0, 3000, 6000, 9000]);
    expect(waiting.all('queued').map(({ stage }) => stage)).toEqual([
      'joined',
      'moved',
      'moved',
      'moved',
    ]);
    expect(waiting.all('queued').map(({ etaSeconds }) => etaSeconds)).toEqual([90, 87, 84, 81]);
  });

  it('moves all clients up when one leaves, and gives a free worker to the first', () => {
    const { enter, clock } = setGatewayScene({ workers: 1 });
    const [first, second, third, fourth] = [enter(), enter(), enter(), enter()];
    clock.advance(500);
    third.caller.disconnected();
    expect(fourth.last('queued')).toMatchObject({ stage: 'moved', position: 2, length: 2 });
    expect(second.all('queued')).toHaveLength(1);
    first.ask({ kind: 'close', reason: 'user_stop' });
    expect(second.kinds.at(-1)).toBe('admitted');
    expect(second.frames.at(-1)?.at).toBe(500);
    expect(fourth.last('queued')).toMatchObject({ stage: 'moved', position: 1, length: 1 });
    clock.advance(10_000);
    expect(second.kinds.filter((kind) => kind === 'queued')).toHaveLength(1);
  });

  it('refuses with queue_full and 1013 when the queue is full', () => {
    const { enter } = setGatewayScene({ workers: 1, queueLimit: 1 });
    enter();
    const [waiting, refused] = [enter(), enter()];
    expect(refused.events).toMatchObject([
      { kind: 'error', code: 'queue_full', type: 'server_error' },
    ]);
    expect(refused.closed).toMatchObject({ code: 1013 });
    expect(waiting.closed).toBeUndefined();
  });

  it('closes all clients at its end, and admits none while it ends', () => {
    const { enter, gateway, clock } = setGatewayScene({ workers: 1 });
    const clients = [enter(), enter()];
    void gateway.end();
    for (const client of clients) {
      expect(client.last('closed')?.reason).toBe('server_shutdown');
      expect(client.closed?.code).toBe(1001);
    }
    expect(clients[1]?.kinds).not.toContain('admitted');
    clock.advance(20_000);
    expect(clients[1]?.frames).toHaveLength(2);
  });
});

it('the estimated wait counts the clients ahead, and is zero while a worker is idle', () => {
  expect(estimateQueueSeconds(2, [100], [])).toBe(0);
  expect(estimateQueueSeconds(2, [100, 40], [])).toBe(40);
  expect(estimateQueueSeconds(2, [100, 40], [600])).toBe(100);
  expect(estimateQueueSeconds(2, [100, 40], [10])).toBe(50);
});

describe('workers for model servers', () => {
  class FakeServer implements Backend {
    readonly name: string;
    readonly serves: Backend['serves'];
    isWell = true;
    /** The mode that its model was loaded for; loading another takes 10 s. Undefined if it has no modes. */
    loaded: Mode | undefined;
    /** Whether the model can be loaded. */
    loads = true;
    /** The times of the requests for its health. */
    readonly healthChecks: number[] = [];
    readonly #clock: FakeClock;

    constructor(
      name: string,
      serves: Backend['serves'],
      loaded: Mode | undefined,
      clock: FakeClock,
    ) {
      this.name = name;
      this.serves = serves;
      this.loaded = loaded;
      this.#clock = clock;
    }

    readonly prepare = (mode: Mode): BackendPreparation | undefined => {
      if (this.loaded === undefined || this.loaded === mode) return undefined;
      const endsAt = this.#clock.now() + 10_000;
      const done = delay(this.#clock, 10_000).then(() => {
        if (this.loads) this.loaded = mode;
        return this.loads;
      });
      return { etaSeconds: () => (endsAt - this.#clock.now()) / 1000, done };
    };
    readonly connect: Backend['connect'] = (listener) => new FakeSocket('', listener);
    readonly closeSession = (): Promise<boolean> => Promise.resolve(true);
    readonly isHealthy = (): Promise<boolean> => {
      this.healthChecks.push(this.#clock.now());
      return Promise.resolve(this.isWell);
    };
  }

  class PoolClient implements WorkerRequest {
    readonly mode: Mode;
    readonly blocked = false;
    readonly wedges = false;
    server: string | undefined;
    rejected: 'full' | 'lost' | undefined;
    place: QueuePlace | undefined;
    readonly etas: (number | undefined)[] = [];

    constructor(mode: Mode) {
      this.mode = mode;
    }

    readonly onAssigned: WorkerRequest['onAssigned'] = ({ backend }) => {
      this.server = backend?.name;
    };
    readonly onQueued: WorkerRequest['onQueued'] = (_stage, place) => {
      this.place = place;
      this.etas.push(place.etaSeconds);
    };
    readonly onRejected: WorkerRequest['onRejected'] = (why) => {
      this.rejected = why;
    };
  }

  interface Scene {
    readonly clock: FakeClock;
    readonly pool: WorkerPool;
    readonly servers: readonly FakeServer[];
    readonly enter: (mode?: Mode) => PoolClient;
    readonly pass: (ms: number) => Promise<void>;
  }

  /** A pool of one server for each of `serves`, named a, b, …, whose models may be loaded for a mode. */
  function setScene(
    serves: readonly Backend['serves'][],
    loaded?: Mode,
    clock = new FakeClock(),
  ): Scene {
    const servers = serves.map(
      (modes, at) => new FakeServer('abc'.charAt(at), modes, loaded, clock),
    );
    const pool = openWorkerPool({ workers: 4, queueLimit: 100, backends: servers }, clock);
    return {
      clock,
      pool,
      servers,
      enter: (mode = 'audio') => {
        const client = new PoolClient(mode);
        pool.acquire(client);
        return client;
      },
      pass: async (ms) => {
        for (let left = ms; left > 0; left -= 500) {
          clock.advance(Math.min(left, 500));
          await flushPromises();
        }
      },
    };
  }

  const states = ({ pool }: Scene): readonly string[] =>
    pool.status().backends.map(({ state }) => state);

  describe('a pool of model servers', () => {
    it('refuses at once a mode that no server serves', () => {
      const { enter } = setScene(['chat']);
      expect(enter('audio').rejected).toBe('lost');
    });
  });

  describe('a model server that loads for another mode', () => {
    it('keeps its client in the queue with the remaining time, and serves the client when it has loaded', async () => {
      const scene = setScene(['both'], 'audio');
      const talk = scene.enter('audio');
      expect(talk.server).toBe('a');
      const chat = scene.enter('chat');
      expect(chat.place).toMatchObject({ position: 1, length: 1, etaSeconds: 120 });
      scene.pool.release(talk, 'clean');
      expect(chat.place).toEqual({ position: 1, length: 1, etaSeconds: 10 });
      await scene.pass(9500);
      expect(chat.server).toBeUndefined();
      expect(chat.etas).toEqual([120, 10, 7, 4, 1]);
      await scene.pass(500);
      expect(chat.server).toBe('a');
      await scene.pass(10_000);
      expect(chat.etas).toHaveLength(5);
      scene.pool.release(chat, 'clean');
      expect(scene.enter('chat').server).toBe('a');
    });
  });

  describe('a model server that cannot load its model', () => {
    it.each([
      ['is not asked to load it a second time for the same client', true, false],
      ['is tried twice if it was lost for another reason', false, true],
    ])('%s', async (_what, isLoading, mayRetry) => {
      const scene = setScene(['both'], isLoading ? 'audio' : undefined);
      for (const server of scene.servers) server.loads = false;
      const chat = scene.enter('chat');
      await scene.pass(10_000);
      expect(chat.server).toBe('a');
      expect(scene.pool.retry(chat, 'lost', true)).toBe(mayRetry);
    });
  });

  describe('an occupied model server', () => {
    it('is tried again although its timer runs a moment early, as Node’s timers sometimes do', async () => {
      const clock = new FakeClock();
      const { after } = clock;
      Object.assign(clock, {
        after: (ms: number, run: () => void) => after(ms - 0.4, run),
      });
      const scene = setScene(['both'], undefined, clock);
      const [first, second] = [scene.enter(), scene.enter()];
      scene.pool.release(first, 'occupied');
      expect(second.server).toBeUndefined();
      await scene.pass(1000);
      expect(second.server).toBe('a');
    });
  });

  describe('a lost model server', () => {
    it('serves the first client of the queue when it is available again', async () => {
      const scene = setScene(['both']);
      const [first, second, third] = [scene.enter(), scene.enter(), scene.enter()];
      scene.pool.release(first, 'lost');
      expect(second.server).toBeUndefined();
      await scene.pass(1000);
      expect(second.server).toBe('a');
      expect(third.server).toBeUndefined();
      expect(third.place).toMatchObject({ position: 1, length: 1 });
    });

    it('is tried again after a pause that doubles with each failure, until a session ends well', async () => {
      const scene = setScene(['both']);
      const pauses: number[] = [];
      for (const how of ['lost', 'lost', 'lost', 'clean', 'lost'] as const) {
        const client = scene.enter();
        scene.pool.release(client, how);
        const lostAt = scene.clock.now();
        if (how === 'clean') continue;
        while (states(scene)[0] === 'lost') await scene.pass(500);
        pauses.push(scene.clock.now() - lostAt);
      }
      expect(pauses).toEqual([1000, 2000, 4000, 1000]);
    });
  });
});
