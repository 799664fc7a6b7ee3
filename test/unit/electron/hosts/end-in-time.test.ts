import { describe, expect, it, vi } from 'vitest';
import { endInTime } from '../../../../electron/hosts/process-shutdown.ts';
import { Lifetime } from '../../../../shared/lifetime.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';

const never = (): Promise<void> => new Promise(() => undefined);

describe('endInTime', () => {
  it('abandons and logs a close that hangs, and runs those of what was opened before', async () => {
    const log = new FakeLog();
    const lifetime = new Lifetime('test');
    const closeSettings = vi.fn<() => void>();
    lifetime.add(closeSettings, 'the settings');
    lifetime.add(never, 'the device');
    await endInTime(lifetime, log, { eachMs: 20, allMs: 10_000 });
    expect(closeSettings).toHaveBeenCalledOnce();
    expect(log.lines).toEqual([
      'parley error: shutdown: abandoned, because it did not close in time: the device',
    ]);
  });

  it('returns at the total limit, while the lifetime continues to end', async () => {
    const log = new FakeLog();
    const lifetime = new Lifetime('test');
    for (let each = 0; each < 4; each += 1) lifetime.add(never, `device ${each}`);
    await endInTime(lifetime, log, { eachMs: 30, allMs: 50 });
    expect(log.lines.at(-1)).toBe('parley error: shutdown timed out; exiting');
    // The lifetime continues until it has abandoned every device.
    await lifetime.end();
    expect(log.lines.filter((line) => line.includes('abandoned'))).toHaveLength(4);
  });

  it('logs a close that fails', async () => {
    const log = new FakeLog();
    const lifetime = new Lifetime('test');
    lifetime.add(() => Promise.reject(new Error('stuck')));
    await endInTime(lifetime, log);
    expect(log.lines).toEqual(['parley error: test did not end cleanly; stuck']);
  });
});
