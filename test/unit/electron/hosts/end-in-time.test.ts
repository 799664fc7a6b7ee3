import { describe, expect, it } from 'vitest';
import { endInTime } from '../../../../electron/hosts/process-shutdown.ts';
import { Lifetime } from '../../../../shared/lifetime.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';

const never = (): Promise<void> => new Promise(() => undefined);

describe('ending in time', () => {
  it('does not wait for what hangs, names it, and closes what was opened before it', async () => {
    const log = new FakeLog();
    const lifetime = new Lifetime('test');
    let written = false;
    lifetime.add(() => {
      written = true;
    }, 'the settings');
    lifetime.add(never, 'the device');
    await endInTime(lifetime, log, { eachMs: 20, allMs: 10_000 });
    expect(written).toBe(true);
    expect(log.lines).toEqual([
      'parley error: shutdown: abandoned, because it did not close in time: the device',
    ]);
  });

  it('stops at the total limit, and ends the lifetime', async () => {
    const log = new FakeLog();
    const lifetime = new Lifetime('test');
    for (let each = 0; each < 4; each += 1) lifetime.add(never, `device ${each}`);
    await endInTime(lifetime, log, { eachMs: 30, allMs: 50 });
    expect(log.lines.at(-1)).toBe('parley error: shutdown timed out; exiting');
    // The lifetime continues until it has abandoned every device.
    await lifetime.end();
    expect(log.lines.filter((line) => line.includes('abandoned'))).toHaveLength(4);
  });

  it('reports what did not end cleanly', async () => {
    const log = new FakeLog();
    const lifetime = new Lifetime('test');
    lifetime.add(() => Promise.reject(new Error('stuck')));
    await endInTime(lifetime, log);
    expect(log.lines).toEqual(['parley error: test did not end cleanly; stuck']);
  });
});
