import { appError } from '../../../../shared/errors/app-error.ts';
import { describeError } from '../../../../shared/describe-error.ts';
import { SerialQueue } from '../../../../shared/serial-queue.ts';
import type { DesktopSettings } from '../../../../shared/settings/desktop-settings.ts';
import type { LinkList } from '../../../controllers/link-switch.ts';
import type { Parley } from '../../../core/compose-parley.ts';

export type ListedState = 'on' | 'off';

/** Where the system has a list on which Parley may stand, fitted to one form. */
export interface SystemList {
  readonly place: string;
  readonly find: () => Promise<ListedState>;
  readonly put: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** What the lists are of, by the setting that puts Parley on each. */
const failures = {
  autostart: 'autostartFailed',
  links: 'linksFailed',
} as const satisfies Partial<Record<keyof DesktopSettings, string>>;

export type ListedCore = Pick<Parley, 'notices' | 'lifetime' | 'log'> & {
  readonly settings: Pick<Parley['settings'], 'get' | 'change' | 'listen'>;
};

/**
 * Sees to it that the system's list says what the setting says. Who has taken Parley off that list by the
 * system's own means has the last word: then the setting follows.
 */
export function keepListed(
  { settings, notices, lifetime, log }: ListedCore,
  at: keyof typeof failures,
  list: SystemList,
): LinkList {
  const turns = new SerialQueue();
  let following = false;
  /** The setting follows the list, which stays as it is. */
  const off = (): void => {
    following = true;
    settings.change({ desktop: { [at]: false } });
    following = false;
  };
  const write = async (on: boolean): Promise<void> => {
    try {
      await (on ? list.put() : list.remove());
    } catch (error) {
      log.write('warn', `${at}: ${describeError(error)}`);
      notices.post('settingsProblem', appError(failures[at], { path: list.place }));
      if (on) off();
    }
  };
  const begin = async (): Promise<void> => {
    // The program may have moved since.
    if ((await list.find()) === 'on') await write(true);
    else off();
  };
  if (settings.get().desktop[at]) void turns.run(begin);
  lifetime.add(
    settings.listen((event) => {
      if (event.kind !== 'changed' || following) return;
      const wanted = event.settings.desktop[at];
      if (wanted !== event.before.desktop[at]) void turns.run(() => write(wanted));
    }),
  );
  return {
    place: list.place,
    find: list.find,
    write: (on) => turns.run(() => write(on)),
    settled: () => turns.settled(),
  };
}
