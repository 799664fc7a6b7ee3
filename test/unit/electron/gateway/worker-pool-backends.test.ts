import { describe, expect, it } from 'vitest';
import { flushPromises } from '../../../fakes/flush-promises.ts';
import type { Backend, BackendPreparation } from '../../../../electron/gateway/backend.ts';
import {
  openWorkerPool,
  type QueuePlace,
  type WorkerPool,
  type WorkerRequest,
} from '../../../../electron/gateway/worker-pool.ts';
import { delay } from '../../../../shared/ports/clock.ts';
import type { Mode } from '../../../../shared/protocol/realtime-api.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { FakeSocket } from '../../../fakes/fake-sockets.ts';

class FakeServer implements Backend {
  readonly name: string;
  readonly serves: Backend['serves'];
  isWell = true;
  /** The mode that its model was loaded for; loading another takes 10 s. Undefined if it has no modes. */
  loaded: Mode | undefined;
  /** When its health was asked. */
  readonly healthChecks: number[] = [];
  readonly #clock: FakeClock;

  constructor(name: string, serves: Backend['serves'], loaded: Mode | undefined, clock: FakeClock) {
    this.name = name;
    this.serves = serves;
    this.loaded = loaded;
    this.#clock = clock;
  }

  readonly prepare = (mode: Mode): BackendPreparation | undefined => {
    if (this.loaded === undefined || this.loaded === mode) return undefined;
    const endsAt = this.#clock.now() + 10_000;
    const done = delay(this.#clock, 10_000).then(() => {
      this.loaded = mode;
      return undefined;
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
function setScene(serves: readonly Backend['serves'][], loaded?: Mode): Scene {
  const clock = new FakeClock();
  const servers = serves.map((modes, at) => new FakeServer('abc'.charAt(at), modes, loaded, clock));
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
  it('has one worker per server, each with its name, modes and state', () => {
    const { clock, enter, pool } = setScene(['duplex', 'chat']);
    clock.advance(5000);
    expect(enter('audio').server).toBe('a');
    clock.advance(2500);
    expect(pool.status()).toEqual({
      workers: 2,
      idle: 1,
      queued: 0,
      backends: [
        { name: 'a', serves: 'duplex', state: 'busy', seconds: 2 },
        { name: 'b', serves: 'chat', state: 'idle', seconds: 7 },
      ],
    });
  });

  it('gives a free chat server to a chat that came after a waiting talk', () => {
    const { enter } = setScene(['duplex', 'chat']);
    enter('audio');
    const talk = enter('video');
    expect(enter('chat').server).toBe('b');
    expect(talk.place).toMatchObject({ position: 1, length: 1 });
  });

  it('counts only clients that wait for the same servers', () => {
    const { enter } = setScene(['duplex', 'chat']);
    enter('audio');
    enter('chat');
    enter('audio');
    expect(enter('chat').place).toMatchObject({ position: 1, length: 1, etaSeconds: 15 });
    expect(enter('video').place).toMatchObject({ position: 2, length: 2, etaSeconds: 240 });
  });

  it('refuses a mode at once that no server serves', () => {
    const { enter } = setScene(['chat']);
    expect(enter('audio').rejected).toBe('lost');
  });
});

describe('a model server that loads for another mode', () => {
  it('keeps its client in the queue with the time left, and serves it when it is loaded', async () => {
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

  it('counts its load in the estimated wait of the next client', async () => {
    const scene = setScene(['both'], 'audio');
    scene.enter('chat');
    const next = scene.enter('chat');
    expect(next.place).toMatchObject({ position: 1, etaSeconds: 25 });
    await scene.pass(10_000);
    expect(scene.enter('chat').place).toMatchObject({ position: 2, etaSeconds: 30 });
  });

  it('is free for the next client when its client leaves meanwhile', async () => {
    const scene = setScene(['both'], 'audio');
    const chat = scene.enter('chat');
    await scene.pass(5000);
    scene.pool.release(chat, 'clean');
    expect(states(scene)).toEqual(['idle']);
    expect(scene.enter('audio').server).toBe('a');
    await scene.pass(10_000);
    expect(chat.server).toBeUndefined();
  });

  it('returns its client to the gateway when that drains', () => {
    const scene = setScene(['both'], 'audio');
    const chat = scene.enter('chat');
    expect(scene.pool.emptyQueue()).toEqual(new Set([chat]));
  });
});

describe('a lost model server', () => {
  it('is asked for its health with growing pauses of up to 30 s until it is available', async () => {
    const scene = setScene(['both']);
    const [server] = scene.servers;
    if (server === undefined) throw new Error('no server');
    server.isWell = false;
    scene.pool.release(scene.enter(), 'lost');
    await scene.pass(100_000);
    expect(server.healthChecks).toEqual([1000, 3000, 7000, 15_000, 31_000, 61_000, 91_000]);
    server.isWell = true;
    await scene.pass(30_000);
    expect(states(scene)).toEqual(['idle']);
    await scene.pass(100_000);
    expect(server.healthChecks).toHaveLength(8);
  });

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

  it('makes the estimated wait a whole talk for each place in the queue, because no server is available', async () => {
    const scene = setScene(['both']);
    for (const server of scene.servers) server.isWell = false;
    const [first, second, third] = [scene.enter(), scene.enter(), scene.enter()];
    scene.pool.release(first, 'lost');
    await scene.pass(3500);
    expect(second.place?.etaSeconds).toBe(120);
    expect(third.place?.etaSeconds).toBe(240);
  });

  it('does not make the pool refuse new clients while another server is available', async () => {
    const scene = setScene(['both', 'both']);
    const [first, second] = [scene.enter(), scene.enter()];
    scene.pool.release(first, 'lost');
    expect(scene.enter().rejected).toBeUndefined();
    scene.pool.release(second, 'clean');
    const third = scene.enter();
    expect(third.place?.position).toBe(1);
    expect(states(scene)).toEqual(['lost', 'busy']);
  });

  it('makes the pool refuse new clients while all servers are lost', () => {
    const scene = setScene(['both']);
    scene.pool.release(scene.enter(), 'lost');
    expect(scene.enter().rejected).toBe('lost');
  });

  it('is not counted in the estimated wait', () => {
    const scene = setScene(['both', 'both']);
    const [first] = [scene.enter('audio'), scene.enter('audio')];
    scene.pool.release(first, 'lost');
    expect(scene.enter('audio').place?.etaSeconds).toBe(120);
  });

  it('is tried again later each time that it fails, until a session ends well', async () => {
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

  it('is used after servers that were not lost', async () => {
    const scene = setScene(['both', 'both']);
    scene.pool.release(scene.enter(), 'lost');
    await scene.pass(1000);
    expect([scene.enter().server, scene.enter().server]).toEqual(['b', 'a']);
  });

  it('is not asked for its health after the pool’s end', async () => {
    const scene = setScene(['both']);
    scene.pool.release(scene.enter(), 'lost');
    scene.pool.end();
    await scene.pass(60_000);
    expect(scene.servers[0]?.healthChecks).toEqual([]);
  });
});
