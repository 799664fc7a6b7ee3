import { describe, expect, it } from 'vitest';
import type { ServerEvent } from '../../../../shared/protocol/server-event.ts';
import type { SessionOptions } from '../../../../electron/session/session.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { seeded } from '../../../fakes/seeded.ts';
import * as events from './events.ts';
import { Scene } from './scene.ts';
import type { SceneClock } from './scene.ts';

/** Counts what is still to come, so that nothing is left behind. */
class CountingClock implements SceneClock {
  readonly #clock = new FakeClock();
  readonly #pending = new Set<() => void>();

  get pending(): number {
    return this.#pending.size;
  }

  readonly now = this.#clock.now;

  readonly after = (milliseconds: number, run: () => void): (() => void) => {
    this.#pending.add(run);
    const cancel = this.#clock.after(milliseconds, () => {
      this.#pending.delete(run);
      run();
    });
    return () => {
      this.#pending.delete(run);
      cancel();
    };
  };

  advance(milliseconds: number): void {
    this.#clock.advance(milliseconds);
  }
}

const codes = [
  'not_ready',
  'unknown_event',
  'invalid_payload',
  'inference_error',
  'queue_full',
  'session_failed',
  'odd',
];
const closeCodes = [1000, 1001, 1003, 1006, 1008, 1009, 1011, 1013, 4000];
const reasons = ['timeout', 'backend_error', 'stopped', 'odd'];

type Deed = (scene: Scene, pick: Pick) => void;
type Pick = <Value>(values: readonly Value[]) => Value;

function saying(make: (pick: Pick, scene: Scene) => ServerEvent): Deed {
  return (scene, pick) => {
    scene.say(make(pick, scene));
  };
}

/** The newest id, an old one, somebody else's, or none. */
function anyId(pick: Pick, scene: Scene): string | undefined {
  const ids = scene.appends.map(({ inputId }) => inputId);
  return pick([undefined, 'theirs', ids.at(-1), ids.at(-2), ids[0]]);
}

/** What usually ends a session. */
const lastDeeds: readonly Deed[] = [
  (scene, pick) => scene.close(pick(closeCodes), pick(['', 'busy'])),
  (scene) => scene.line.end({ kind: 'refused', status: 403, body: 'no' }),
  (scene) => scene.line.end({ kind: 'unreachable', problem: 'No such host.' }),
  (scene) => scene.wait(200_000),
  (scene) => scene.session.end(),
  saying((pick) => events.error(pick(codes), pick(['', 'got 403']))),
  saying((pick) => ({
    kind: 'closed',
    reason: pick(reasons),
    diagnostic: pick([undefined, 'd']),
  })),
];

const deeds: readonly Deed[] = [
  (scene) => scene.open(),
  (scene) => scene.live(),
  (scene) => scene.line.receive(undefined),
  (scene) => scene.line.receive('garbage'),
  (scene, pick) => scene.wait(pick([1, 100, 1_000, 5_000])),
  (scene) => scene.speak(2),
  (scene, pick) => scene.session.hear(new Float32Array(pick([0, 1, 320, 4_000, 40_000]))),
  (scene) => scene.session.see(new Uint8Array(3)),
  (scene) => scene.session.setMaxSlices(2),
  (scene) => scene.session.ask({ messages: [] }),
  (scene) => scene.session.interrupt(),
  (scene) => scene.session.interrupt(),
  (scene) => scene.session.pause(),
  (scene) => scene.session.resume(),
  (scene) => scene.session.resume(),
  saying(() => events.admitted),
  saying(() => events.admitted),
  saying(() => events.created),
  saying(() => events.queued(1)),
  saying((pick, scene) => events.text('a', anyId(pick, scene))),
  saying((pick, scene) => events.sound(anyId(pick, scene), pick([0, 10]))),
  saying((pick, scene) => events.listen(anyId(pick, scene))),
  saying((pick) => events.delta('b', pick([true, false]))),
  saying(() => events.legacyListen),
  saying(() => ({ kind: 'done', text: 'x', audio: new Float32Array(5) })),
  saying((pick) => events.error(pick(['not_ready', 'unknown_event']))),
  saying(() => ({ kind: 'unknown', type: 'response.unit.x', raw: {} })),
  saying(() => ({ kind: 'malformed', problem: 'p' })),
  (scene, pick) => {
    if (pick([true, false, false])) pick(lastDeeds)(scene, pick);
  },
];

function play(seed: number): { readonly scene: Scene; readonly clock: CountingClock } {
  const dice = seeded(seed);
  const pick: Pick = (values) => values[Math.floor(dice() * values.length)] as (typeof values)[0];
  const options: Partial<SessionOptions> = {
    mode: pick(['chat', 'audio', 'video']),
    dialect: pick(['auto', 'auto', 'unified', 'legacy']),
    rememberedDialect: pick([undefined, 'unified', 'legacy']),
    chunkMs: pick([0, 250, 1000]),
  };
  const clock = new CountingClock();
  const scene = new Scene(options, seed, clock);
  // Not every story may die young: many begin with a session that stands.
  if (scene.sockets.lines.length > 0) {
    if (dice() < 0.7) scene.open().say(events.admitted);
    if (dice() < 0.8) scene.say(events.created);
    for (let count = 60 * dice(); count > 0; count -= 1) pick(deeds)(scene, pick);
  }
  scene.session.end();
  scene.wait(3_000);
  return { scene, clock };
}

describe('any order of anything', () => {
  it('never throws, never sends what may not be sent, and always ends once with nothing left', () => {
    const phases = new Set<string>();
    let asks = 0;
    for (let seed = 0; seed < 4000; seed += 1) {
      const { scene, clock } = play(seed);
      const story = `story ${seed}`;
      expect(scene.broken, story).toEqual([]);
      expect(scene.toldOf('closed'), story).toHaveLength(1);
      expect(scene.told.at(-1)?.event, story).toBe('closed');
      expect(scene.session.phase, story).toBe('closed');
      expect(clock.pending, story).toBe(0);
      expect(
        scene.sockets.lines.every(({ state }) => state === 'ended'),
        story,
      ).toBe(true);
      expect(scene.remembered.length, story).toBeLessThanOrEqual(1);
      for (const { state } of scene.toldOf('state')) phases.add(state);
      asks += scene.asked.length;
    }
    expect([...phases].toSorted()).toEqual([
      'closed',
      'closing',
      'configuring',
      'connecting',
      'live',
      'queued',
    ]);
    // The stories would show nothing if hardly anything were sent in them.
    expect(asks).toBeGreaterThan(10_000);
  });

  it('tells the same story again for the same seed', () => {
    expect(play(11).scene.told).toEqual(play(11).scene.told);
  });
});
