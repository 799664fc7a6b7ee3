import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nightlyTests, specsNamed, defaultSpecs } from '../../set-up/test-tiers.ts';

it.each(nightlyTests)('the nightly test %s exists', (place) => {
  expect(existsSync(`test/${place}`)).toBe(true);
});

it.each(Object.entries(defaultSpecs))(
  'the default specs of %s exist, each once',
  (_host, names) => {
    expect(names.filter((name) => !existsSync(`test/e2e/${name}.spec.ts`))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  },
);

it('the pattern of a spec’s name matches only that spec', () => {
  const named = specsNamed(['vision/vision']);
  expect(named.test('/parley/test/e2e/vision/vision.spec.ts')).toBe(true);
  expect(named.test('/parley/test/e2e/vision/vision.desktop.spec.ts')).toBe(false);
});
