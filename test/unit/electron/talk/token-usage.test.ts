import { expect, it } from 'vitest';
import { Stage } from './stage.ts';

it('a server that only counts what it used is known to prune once that is more than its context holds', () => {
  const usage = { inputAudio: 9000 };
  const told = (figures: Readonly<Record<string, number>>) => {
    const stage = new Stage().live();
    stage.session.emit({ event: 'metrics', metrics: { contextTokens: 9000, figures, usage } });
    return stage.emittedOf('limits').at(-1)?.left.pruning;
  };
  expect([told({}), told({ kv_cache_length: 9000 })]).toEqual([true, false]);
});
