import { describe, expect, it } from 'vitest';
import { Lifetime } from '../../../shared/lifetime.ts';

describe('a lifetime', () => {
  it('releases once each, in reverse order, even if ended twice', async () => {
    const released: string[] = [];
    const lifetime = new Lifetime('test');
    lifetime.add(() => {
      released.push('opened first');
    });
    lifetime.add(async () => {
      await Promise.resolve();
      released.push('opened last');
    });
    await Promise.all([lifetime.end(), lifetime.end()]);
    expect(released).toEqual(['opened last', 'opened first']);
  });

  it('continues after a release throws, then throws itself', async () => {
    const released: string[] = [];
    const lifetime = new Lifetime('test');
    lifetime.add(() => {
      released.push('the other');
    });
    lifetime.add(() => {
      throw new Error('stuck');
    });
    await expect(lifetime.end()).rejects.toThrow('test did not end cleanly');
    expect(released).toEqual(['the other']);
  });

  it('runs a release at once that is added after the end', async () => {
    const released: string[] = [];
    const lifetime = new Lifetime('test');
    await lifetime.end();
    lifetime.add(() => {
      released.push('late');
    });
    await lifetime.end();
    expect(released).toEqual(['late']);
  });

  it('runs a late release even after a failed end', async () => {
    const released: string[] = [];
    const lifetime = new Lifetime('test');
    lifetime.add(() => {
      throw new Error('stuck');
    });
    await expect(lifetime.end()).rejects.toThrow('did not end cleanly');
    for (const name of ['late', 'later']) lifetime.add(() => void released.push(name));
    await expect(lifetime.end()).rejects.toThrow('did not end cleanly');
    await new Promise(setImmediate);
    expect(released).toEqual(['late', 'later']);
  });
});
