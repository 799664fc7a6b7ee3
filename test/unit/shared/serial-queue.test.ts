import { describe, expect, it } from 'vitest';
import { SerialQueue } from '../../../shared/lifetime.ts';
import { deferred } from '../../fakes/deferred.ts';

const wrong = new Error('the disk is full');

describe('a serial queue', () => {
  it('runs tasks one at a time and returns their results', async () => {
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
  ])('continues after a task that %s, and its caller gets the error', async (_how, task) => {
    const queue = new SerialQueue();
    const failed = queue.run<unknown>(task);
    const next = queue.run(() => 'done');
    await expect(failed).rejects.toBe(wrong);
    expect(await next).toBe('done');
    expect(await queue.run(() => 'later')).toBe('later');
  });

  it('is settled after all tasks, including those that tasks added, and after failures', async () => {
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
