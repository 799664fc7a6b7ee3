import { describe, expect, it } from 'vitest';
import { getNoise, getRatio, judgeBy, readBudget, runInTurns } from '../../bench/overview/row.ts';
import type { Row } from '../../bench/overview/row.ts';

const row: Row = {
  id: 'sound.begin',
  section: 'Sound',
  what: 'from a write to its sound',
  unit: 'ms',
  ours: 30,
  beside: 'plain naudiodon',
  baseline: 20,
  again: 20,
};

describe('a row of the benchmark overview', () => {
  it('is a ratio to the reference, and reports the noise of the machine', () => {
    expect(getRatio(row)).toBe(1.5);
    expect(getNoise({ ...row, again: 30 })).toBe(1.5);
  });

  it('is over its budget only where the machine was quiet enough to say so', () => {
    const judge = judgeBy({ 'sound.begin': 1.4 });
    expect(judge(row)).toEqual({ judgement: 'broken', limit: 1.4 });
    expect(judge({ ...row, ours: 60, baseline: 10, again: 30 }).judgement).toBe('noisy');
    expect(judge({ ...row, ours: 28 }).judgement).toBe('met');
    expect(judge({ ...row, id: 'new' })).toEqual({ judgement: 'unknown' });
  });

  it('is the median of the alternating rounds, without the first one', async () => {
    const order: string[] = [];
    let round = 0;
    const found = await runInTurns(3, {
      baseline: () => {
        order.push('baseline');
        round += 1;
        return round === 1 ? 1000 : round;
      },
      ours: () => {
        order.push('ours');
        return Promise.resolve(7);
      },
    });
    expect(found).toEqual({ baseline: 3, ours: 7 });
    expect(order.slice(0, 4)).toEqual(['baseline', 'ours', 'baseline', 'ours']);
  });

  it('has a positive budget', () => {
    for (const limit of Object.values(readBudget())) expect(limit).toBeGreaterThan(0);
    expect(Object.keys(readBudget())).not.toHaveLength(0);
  });
});
