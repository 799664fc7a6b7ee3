import { describe, expect, it } from 'vitest';
import { MediaCache } from '../../../../electron/chat/attachments.ts';

const picture = (bytes: number) => ({ type: 'image', file: new Uint8Array(bytes) }) as const;
const sound = (samples: number) => ({ type: 'audio', samples: new Float32Array(samples) }) as const;

function fill(inUse: readonly string[] = []) {
  const cache = new MediaCache(100, () => new Set(inUse));
  for (const id of ['a', 'b', 'c']) cache.put(id, picture(30), true);
  return { cache, here: () => ['a', 'b', 'c', 'd'].filter((id) => cache.get(id) !== undefined) };
}

describe('media in memory', () => {
  it('make room for newer ones, those used longest ago first', () => {
    const { cache, here } = fill();
    cache.get('a');
    cache.put('d', sound(10), true);
    expect(here()).toEqual(['a', 'c', 'd']);
  });

  it('stay until they are stored, and may then be evicted', () => {
    const { cache, here } = fill();
    cache.put('d', picture(90));
    expect(here()).toEqual(['d']);
    cache.put('a', picture(90));
    expect(here()).toEqual(['a', 'd']);
    cache.markStored(['d', 'never seen']);
    expect(here()).toEqual(['a']);
  });

  it('stay while the open conversation uses them', () => {
    const { cache, here } = fill(['a', 'b']);
    cache.put('d', picture(90), true);
    expect(here()).toEqual(['a', 'b']);
  });

  it('are counted once if they are added or dropped twice', () => {
    const { cache, here } = fill();
    cache.put('a', picture(10), true);
    cache.drop('b');
    cache.drop('b');
    // 40 bytes are left, so 60 more fill the cache and 61 exceed it.
    cache.put('d', picture(60), true);
    expect(here()).toEqual(['a', 'c', 'd']);
    cache.put('d', picture(61), true);
    expect(here()).toEqual(['c', 'd']);
  });
});
