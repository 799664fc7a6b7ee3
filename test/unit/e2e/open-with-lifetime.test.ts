import { describe, expect, it } from 'vitest';
import { openWithLifetime } from '../../e2e/fixtures/running-host.ts';

describe('opening in steps', () => {
  it('ends what stood already when a later step fails, the latest first', async () => {
    const ended: string[] = [];
    const opening = openWithLifetime('a house', async (lifetime) => {
      lifetime.add(() => void ended.push('ground'));
      await Promise.resolve();
      lifetime.add(() => void ended.push('wall'));
      throw new Error('there is no roof');
    });
    await expect(opening).rejects.toThrow('there is no roof');
    expect(ended).toEqual(['wall', 'ground']);
  });

  it('reports the opening error even if closing what was already open fails', async () => {
    const opening = openWithLifetime('a house', (lifetime) => {
      lifetime.add(() => Promise.reject(new Error('the ground is stuck')));
      throw new Error('there is no roof');
    });
    await expect(opening).rejects.toThrow(/^there is no roof$/);
  });

  it('gives what was opened and a way to close it, which says all that went wrong', async () => {
    const ended: string[] = [];
    const house = await openWithLifetime('a house', async (lifetime) => {
      lifetime.add(() => void ended.push('ground'));
      lifetime.add(() => Promise.reject(new Error('the wall leans')));
      lifetime.add(() => Promise.reject(new Error('the roof leaks')));
      await Promise.resolve();
      return { rooms: 3 };
    });
    expect(house.rooms).toBe(3);
    await expect(house.close()).rejects.toThrow('the roof leaks\nthe wall leans');
    expect(ended).toEqual(['ground']);
  });
});
