import { getHeapSpaceStatistics } from 'node:v8';
import { expect, it, vi } from 'vitest';
import { limitYoungGeneration } from '../../../../../electron/hosts/desktop/begin-start.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

const youngMb = (): number => {
  const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  return (space?.space_size ?? Number.NaN) / 1024 / 1024;
};

/** V8 grows the young generation if objects survive several collections. */
function allocateSurvivors(): void {
  for (let time = 0; time < 40; time += 1)
    Array.from({ length: 50_000 }, (_, at) => ({ at, kept: [at] })).reverse();
}

it('a limited young generation does not grow under load', () => {
  const before = youngMb();
  limitYoungGeneration();
  allocateSurvivors();
  expect(youngMb()).toBeLessThanOrEqual(before);
});
