import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { licences } from '../../../../../renderer/settings/about/licences.ts';

import manifest from '../../../../../package.json' with { type: 'json' };

describe('the licences', () => {
  const withinOthers = new Set(['libvips', 'libuiohook']);
  const shipped = licences.filter(({ name }) => /^[a-z@]/.test(name) && !withinOthers.has(name));

  it('match the packages', async () => {
    for (const { name, licence } of shipped) {
      const text = await readFile(`node_modules/${name}/package.json`, 'utf8');
      const found = JSON.parse(text) as { readonly license: string };
      expect(found.license, name).toBe(licence);
    }
  });

  it('cover everything that is shipped', () => {
    const own = new Set(['parley-sound', 'segfault-handler']);
    const needed = Object.keys(manifest.dependencies).filter((name) => !own.has(name));
    expect(shipped.map(({ name }) => name)).toEqual(expect.arrayContaining(needed));
  });
});
