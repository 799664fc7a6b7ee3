import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nightlyTests, specsNamed, defaultSpecs } from '../../set-up/circles.ts';

it.each(nightlyTests)('%s, left to the night, exists', (place) => {
  expect(existsSync(`test/${place}`)).toBe(true);
});

it.each(Object.entries(defaultSpecs))('the usual specs of %s exist, each once', (_host, names) => {
  expect(names.filter((name) => !existsSync(`test/e2e/${name}.spec.ts`))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

it('a spec’s name matches that spec alone', () => {
  const named = specsNamed(['vision/vision']);
  expect(named.test('/parley/test/e2e/vision/vision.spec.ts')).toBe(true);
  expect(named.test('/parley/test/e2e/vision/vision.desktop.spec.ts')).toBe(false);
});
