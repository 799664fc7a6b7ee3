import { describe, expect, it } from 'vitest';
import { Retention } from '../../../../../electron/recordings/history/retention.ts';
import type { AppError } from '../../../../../shared/errors/app-error.ts';
import type { PrivacySettings } from '../../../../../shared/settings/app-settings.ts';
import { defaultSettings } from '../../../../../shared/settings/settings.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeStateFile } from '../../../../fakes/fake-state-file.ts';
import { flushPromises } from '../../../../fakes/flush-promises.ts';

const day = 86_400_000;
const begin = 20_000 * day + day / 3;

/** A machine that starts Parley on the given days. */
function machine(privacy: Partial<PrivacySettings> = {}) {
  const disk = new Map<string, string>();
  const reported: AppError[] = [];
  const start = async (atDay: number): Promise<Retention> => {
    const retention = new Retention({
      file: new FakeStateFile(disk, 'retention'),
      clock: new FakeClock(),
      wallNow: () => begin + atDay * day,
      privacy: () => ({ ...defaultSettings.privacy, keepChats: true, ...privacy }),
      onPostponed: (error) => reported.push(error),
    });
    retention.begin();
    await retention.end();
    return retention;
  };
  const cutoffOn = async (atDay: number): Promise<number | undefined> => {
    const cutoff = (await start(atDay)).cutoff('days');
    return cutoff === undefined ? undefined : Math.round((cutoff - begin) / day);
  };
  return { disk, reported, start, cutoffOn };
}

describe('retention', () => {
  it('allows deletion from the second day on', async () => {
    const { cutoffOn, reported } = machine();
    expect([await cutoffOn(0), await cutoffOn(0), await cutoffOn(1)]).toEqual([
      undefined,
      undefined,
      -29,
    ]);
    expect([await cutoffOn(14), await cutoffOn(28), reported]).toEqual([-16, -2, []]);
  });

  it('allows no deletion if everything is to stay', async () => {
    const { cutoffOn } = machine({ days: 'forever' });
    expect([await cutoffOn(0), await cutoffOn(1), await cutoffOn(2)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('waits three days of use after a clock jump and reports it once', async () => {
    const { cutoffOn, reported } = machine();
    for (const atDay of [0, 1]) await cutoffOn(atDay);
    const found = [];
    for (const atDay of [41, 41, 42, 43, 44]) found.push(await cutoffOn(atDay));
    expect(found).toEqual([undefined, undefined, undefined, undefined, 14]);
    expect(reported).toMatchObject([{ code: 'deletionPostponed', facts: { days: 40, wait: 3 } }]);
  });

  it('allows no deletion if the clock is wrong at every start', async () => {
    const { cutoffOn } = machine();
    for (const atDay of [0, 1]) await cutoffOn(atDay);
    for (let atDay = 2; atDay < 12; atDay += 1) {
      expect(await cutoffOn(atDay + 400)).toBeUndefined();
      await cutoffOn(atDay);
    }
  });

  it('reports no jump if nothing is stored', async () => {
    const { cutoffOn, reported } = machine({ keepChats: false });
    for (const atDay of [0, 40]) await cutoffOn(atDay);
    expect(reported).toEqual([]);
  });

  it('applies each limit separately and reports a jump if any limit is set', async () => {
    const { start, reported } = machine({
      keepChats: false,
      keepTalks: 'yes',
      days: 'forever',
      talkDays: 7,
      tapeDays: 90,
    });
    await start(0);
    const retention = await start(1);
    const daysBack = (['days', 'talkDays', 'tapeDays'] as const).map((kind) => {
      const cutoff = retention.cutoff(kind);
      return cutoff === undefined ? undefined : Math.round((cutoff - begin) / day);
    });
    expect(daysBack).toEqual([undefined, -6, -89]);
    await start(41);
    expect(reported).toMatchObject([{ code: 'deletionPostponed' }]);
  });

  it('counts days during a run of several weeks', async () => {
    const clock = new FakeClock();
    const retention = new Retention({
      file: new FakeStateFile(new Map(), 'retention'),
      clock,
      wallNow: () => begin + clock.now(),
      privacy: () => ({ ...defaultSettings.privacy, keepChats: true }),
      onPostponed: () => {
        throw new Error('A clock jump was reported, although Parley ran all the time.');
      },
    });
    retention.begin();
    clock.advance(40 * day);
    expect([retention.daysOfUse, retention.cutoff('days')]).toEqual([41, begin + 10 * day]);
    await retention.end();
  });

  it('starts over if its state file is damaged', async () => {
    const { disk, cutoffOn } = machine();
    await cutoffOn(0);
    disk.set('retention.json', '{"lastSeenAt": "yesterday"');
    expect([await cutoffOn(1), await cutoffOn(2)]).toEqual([undefined, -28]);
    await flushPromises();
  });
});
