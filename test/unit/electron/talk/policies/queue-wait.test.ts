import { describe, expect, it } from 'vitest';
import {
  type QueueUpdate,
  queueWait,
  type QueueWait,
  waitSeconds,
} from '../../../../../electron/talk/talk-lifecycle.ts';
import { seeded } from '../../../../fakes/seeded.ts';

function after(...updates: readonly (readonly [number, QueueUpdate])[]): QueueWait {
  let wait: QueueWait | undefined;
  for (const [at, update] of updates) wait = queueWait(wait, update, at * 1000);
  if (wait === undefined) throw new Error('The queue sent no update.');
  return wait;
}

describe('the wait in a queue', () => {
  it('has a place, and a time that counts down to zero', () => {
    const wait = after([0, { position: 2, length: 3, etaSeconds: 20 }]);
    expect(wait).toMatchObject({ position: 2, length: 3, etaSeconds: 20, at: 0 });
    expect([0, 5, 20, 100].map((at) => waitSeconds(wait, at * 1000))).toEqual([20, 15, 0, 0]);
  });

  it('does not jump back on repeats', () => {
    const same = { position: 2, length: 3, etaSeconds: 20 };
    const wait = after([0, same], [3, same], [6, same], [9, same]);
    expect(waitSeconds(wait, 9_000)).toBe(11);
    expect(wait.length).toBe(3);
  });

  it('ignores small changes from rounding', () => {
    const wait = after([0, { etaSeconds: 30 }], [3, { etaSeconds: 29 }], [6, { etaSeconds: 22 }]);
    expect(waitSeconds(wait, 6_000)).toBe(24);
  });

  it('accepts a real change, shorter or longer', () => {
    const moved = after([0, { position: 2, etaSeconds: 40 }], [3, { position: 1, etaSeconds: 20 }]);
    expect(waitSeconds(moved, 3_000)).toBe(20);
    const longer = after(
      [0, { position: 1, etaSeconds: 20 }],
      [9, { position: 1, etaSeconds: 50 }],
    );
    expect(waitSeconds(longer, 9_000)).toBe(50);
  });

  it('accepts the same estimate in another place', () => {
    const wait = after([0, { position: 2, etaSeconds: 20 }], [15, { position: 1, etaSeconds: 20 }]);
    expect(waitSeconds(wait, 15_000)).toBe(20);
  });

  it('keeps values that an update omits, and ignores invalid ones', () => {
    const wait = after([0, { position: 2, length: 3, etaSeconds: 20 }], [5, { etaSeconds: -1 }]);
    expect(wait).toMatchObject({ position: 2, length: 3, etaSeconds: 15 });
    expect(waitSeconds(after([0, { position: 1 }]), 0)).toBeUndefined();
  });

  it('is never negative and never rises without an update, for random updates', () => {
    for (let seed = 0; seed < 100; seed += 1) {
      const random = seeded(seed);
      let wait: QueueWait | undefined;
      let shown = Infinity;
      let lastEta: number | undefined;
      for (let at = 0; at < 200_000; at += 1 + Math.floor(random() * 3_000)) {
        let isNew = false;
        if (random() < 0.5) {
          const etaSeconds = random() < 0.2 ? undefined : Math.floor(random() * 60);
          isNew = etaSeconds !== undefined && etaSeconds !== lastEta;
          lastEta = etaSeconds ?? lastEta;
          wait = queueWait(wait, { position: 1, etaSeconds }, at);
        }
        const left = wait === undefined ? undefined : waitSeconds(wait, at);
        if (left === undefined) continue;
        expect(left).toBeGreaterThanOrEqual(0);
        if (!isNew) expect(left).toBeLessThanOrEqual(shown);
        shown = left;
      }
    }
  });
});
