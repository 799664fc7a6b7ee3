import { describe, expect, it } from 'vitest';
import { Framer } from '../../../../shared/audio/framer.ts';
import { randomRuns, seeded } from '../../../fakes/seeded.ts';

const counted = (from: number, length: number) => Float32Array.from({ length }, (_, n) => from + n);

describe('Framer', () => {
  it('makes chunks of one length from blocks of any length, without loss', () => {
    const random = seeded(4);
    for (let round = 0; round < randomRuns(200); round += 1) {
      const length = 1 + Math.floor(random() * 50);
      const framer = new Framer(length);
      const got: number[] = [];
      let pushed = 0;
      for (let step = 0; step < 30; step += 1) {
        const block = counted(pushed, Math.floor(random() * 120));
        pushed += block.length;
        for (const chunk of framer.push(block)) {
          expect(chunk.length).toBe(length);
          got.push(...chunk);
        }
        // The caller may reuse a block's memory.
        block.fill(-1);
        // A full chunk never waits.
        expect(pushed - got.length).toBeLessThan(length);
      }
      got.push(...framer.flush());
      expect(got).toEqual([...counted(0, pushed)]);
      expect(framer.flush()).toHaveLength(0);
    }
  });

  it('returns chunks that later blocks do not change', () => {
    const framer = new Framer(2);
    const chunks = framer.push(counted(1, 4));
    framer.push(counted(5, 2));
    expect(chunks).toEqual([counted(1, 2), counted(3, 2)]);
  });

  it('pads a flushed chunk with silence to the requested length, at most one chunk', () => {
    const framer = new Framer(6);
    expect(framer.push(counted(1, 2))).toEqual([]);
    expect([...framer.flush(4)]).toEqual([1, 2, 0, 0]);
    expect(framer.push(counted(1, 3))).toEqual([]);
    expect([...framer.flush(2)]).toEqual([1, 2, 3]);
    expect([...framer.flush(9)]).toEqual([0, 0, 0, 0, 0, 0]);
    expect(framer.flush().length).toBe(0);
  });

  it('discards its partial chunk on reset', () => {
    const framer = new Framer(4);
    expect(framer.push(counted(1, 3))).toEqual([]);
    framer.reset();
    expect([...framer.flush(4)]).toEqual([0, 0, 0, 0]);
  });

  it.each([0, -1, 1.5, Number.NaN])('rejects a length of %d samples', (length) => {
    expect(() => new Framer(length)).toThrow(RangeError);
  });
});
