import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { testGroups } from '../../set-up/test-groups.ts';

it('every folder that contains tests is in a test group', () => {
  const withTests = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(test|spec)\.tsx?$/.test(file))
    .map((file) => file.split(/[\\/]/)[0]);
  expect(new Set(withTests)).toEqual(new Set(Object.values(testGroups).flat()));
});
