import { SettingsStore } from '../../../../../electron/settings/settings-store.ts';
import { englishErrorMessage } from '../../../../../shared/i18n/en/errors.ts';
import type { SettingsEvent } from '../../../../../shared/settings/settings.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeStateFile } from '../../../../fakes/fake-state-file.ts';

/** One Parley; those on the same disk share what is stored. */
export function parley(disk = new Map<string, string>()) {
  const clock = new FakeClock();
  const file = new FakeStateFile(disk);
  const lastGood = new FakeStateFile(disk, 'settings.last-good');
  const store = new SettingsStore({ file, lastGood, clock });
  const event: SettingsEvent[] = [];
  store.listen((one) => event.push(one));
  return Object.assign(store, {
    clock,
    file,
    disk,
    problemsTold: () =>
      event.flatMap((one) => (one.kind === 'problem' ? [englishErrorMessage(one.error)] : [])),
    over: () => event.flatMap((one) => (one.kind === 'problemOver' ? [one.code] : [])),
    changes: () => event.filter(({ kind }) => kind === 'changed').length,
    pass: async (milliseconds: number) => {
      clock.advance(milliseconds);
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    },
    stored: () => JSON.parse(disk.get('settings.json') ?? 'null') as Record<string, unknown> | null,
  });
}
