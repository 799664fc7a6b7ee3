import { describe, expect, it } from 'vitest';
import { SerialQueue } from '../../../shared/lifetime.ts';
import { deferred } from '../../fakes/deferred.ts';

const wrong = new Error('the disk is full');

describe('a serial queue', () => {
  it('runs one task after the other, and gives back what each comes to', async () => {
    const queue = new SerialQueue();
    const first = deferred();
    const seen: string[] = [];
    const results = [
      queue.run(async () => {
        seen.push('one begins');
        await first.promise;
        seen.push('one ends');
        return 1;
      }),
      queue.run(() => {
        seen.push('two');
        return 2;
      }),
    ];
    await Promise.resolve();
    expect(seen).toEqual(['one begins']);
    first.resolve();
    expect(await Promise.all(results)).toEqual([1, 2]);
    expect(seen).toEqual(['one begins', 'one ends', 'two']);
  });

  it.each([
    ['rejects', () => Promise.reject(wrong)],
    [
      'throws',
      () => {
        throw wrong;
      },
    ],
  ])('goes on after a task that %s, whose giver learns of it', async (_how, task) => {
    const queue = new SerialQueue();
    const failed = queue.run<unknown>(task);
    const next = queue.run(() => 'done');
    await expect(failed).rejects.toBe(wrong);
    expect(await next).toBe('done');
    expect(await queue.run(() => 'later')).toBe('later');
  });

  it('is settled when all has run, also what a task gave it, and whatever failed', async () => {
    const queue = new SerialQueue();
    const seen: string[] = [];
    const failed = queue.run(() => {
      void queue.run(() => seen.push('given by a task'));
      throw wrong;
    });
    await Promise.all([queue.settled(), expect(failed).rejects.toBe(wrong)]);
    expect(seen).toEqual(['given by a task']);
    await queue.settled();
  });
});
