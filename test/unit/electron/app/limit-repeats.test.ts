import { describe, expect, it } from 'vitest';
import { limitRepeats } from '../../../../electron/app/process-log.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';

function limited() {
  const log = new FakeLog();
  let time = 0;
  const limit = limitRepeats(log, () => time);
  return { log, limit, pass: (ms: number) => (time += ms) };
}

describe('a log with repeated entries', () => {
  it('writes a fault that repeats fifty times a second once, and then its count', () => {
    const { log, limit, pass } = limited();
    for (let time = 0; time < 50; time += 1) {
      limit.write('error', 'broken');
      pass(20);
    }
    limit.write('info', 'something else');
    expect(log.lines).toEqual([
      'parley error: broken',
      'parley error: broken (repeated 49 more times)',
      'parley info: something else',
    ]);
  });

  it('writes each distinct entry, and the counts at the end', () => {
    const { log, limit } = limited();
    for (const entry of ['a', 'b', 'a']) limit.write('warn', entry);
    limit.flush();
    limit.flush();
    expect(log.lines).toEqual([
      'parley warn: a',
      'parley warn: b',
      'parley warn: a (repeated 1 more times)',
    ]);
  });

  it('limits a flood of a thousand distinct entries', () => {
    const { log, limit, pass } = limited();
    for (let entry = 0; entry < 1000; entry += 1) limit.write('warn', `number ${entry}`);
    expect(log.lines).toHaveLength(100);
    pass(1001);
    limit.write('info', 'quiet again');
    expect(log.lines.slice(100)).toEqual([
      'parley warn: 900 log entries were dropped, because more than 100 different ones came in one second',
      'parley info: quiet again',
    ]);
  });
});
