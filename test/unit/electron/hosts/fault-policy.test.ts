import { describe, expect, it } from 'vitest';
import { FaultPolicy } from '../../../../electron/hosts/guard-process.ts';

function policy() {
  let time = 0;
  return { faults: new FaultPolicy(() => time), pass: (ms: number) => (time += ms) };
}

describe('an uncaught fault', () => {
  it('is survived while something is open, and fatal otherwise', () => {
    const { faults } = policy();
    expect(faults.judge('a', false)).toBe('end');
    expect(faults.judge('a', true)).toBe('goOn');
  });

  it('is fatal at its eleventh time within a minute', () => {
    const { faults } = policy();
    const verdicts = Array.from({ length: 11 }, () => faults.judge('a', true));
    expect(verdicts.indexOf('end')).toBe(10);
  });

  it('is survived any number of times at seven-second intervals', () => {
    const { faults, pass } = policy();
    for (let time = 0; time < 100; time += 1) {
      expect(faults.judge('a', true)).toBe('goOn');
      pass(7000);
    }
  });

  it('is fatal if 30 others came within the same minute', () => {
    const { faults } = policy();
    const verdicts = Array.from({ length: 31 }, (_, index) => faults.judge(`fault ${index}`, true));
    expect(verdicts.indexOf('end')).toBe(30);
  });
});
