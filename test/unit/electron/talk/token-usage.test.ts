import { expect, it } from 'vitest';
import { Stage } from './stage.ts';

it('a talk infers pruning when a server’s cumulative usage exceeds its context', () => {
  const usage = { inputAudio: 9000 };
  const told = (values: Readonly<Record<string, number>>) => {
    const stage = new Stage().live();
    stage.session.emit({ event: 'metrics', metrics: { contextTokens: 9000, values, usage } });
    return stage.emittedOf('limits').at(-1)?.limits.pruning;
  };
  expect([told({}), told({ kv_cache_length: 9000 })]).toEqual([true, false]);
});
