import { describe, expect, it } from 'vitest';
import { FaultPolicy } from '../../../../electron/hosts/guard-process.ts';

function policy() {
  let time = 0;
  return { faults: new FaultPolicy(() => time), pass: (ms: number) => (time += ms) };
}

describe('a fault that nobody has caught', () => {
  it('is survived where a person has something open, and is the end before that', () => {
    const { faults } = policy();
    expect(faults.judge('a', false)).toBe('end');
    expect(faults.judge('a', true)).toBe('goOn');
  });

  it('is the end where the same comes again and again within a minute', () => {
    const { faults } = policy();
    const verdicts = Array.from({ length: 11 }, () => faults.judge('a', true));
    expect(verdicts.indexOf('end')).toBe(10);
  });

  it('is survived for ever where it comes now and then', () => {
    const { faults, pass } = policy();
    for (let time = 0; time < 100; time += 1) {
      expect(faults.judge('a', true)).toBe('goOn');
      pass(7000);
    }
  });

  it('is the end where many different ones come at once', () => {
    const { faults } = policy();
    const verdicts = Array.from({ length: 31 }, (_, index) => faults.judge(`fault ${index}`, true));
    expect(verdicts.indexOf('end')).toBe(30);
  });
});
