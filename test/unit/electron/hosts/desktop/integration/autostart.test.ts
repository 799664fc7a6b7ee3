import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NoticeBoard } from '../../../../../../electron/app/ipc/request-dispatcher.ts';
import { openAutostart } from '../../../../../../electron/hosts/desktop/integration/system-registration.ts';
import { SettingsStore } from '../../../../../../electron/settings/settings-store.ts';
import { appError } from '../../../../../../shared/errors/app-error.ts';
import { Lifetime } from '../../../../../../shared/lifetime.ts';
import { eventually } from '../../../../../fakes/eventually.ts';
import { FakeClock } from '../../../../../fakes/fake-clock.ts';
import { FakeLog } from '../../../../../fakes/fake-log.ts';
import { FakeStateFile } from '../../../../../fakes/fake-state-file.ts';

vi.mock('electron', () => import('../../../../../fakes/fake-electron.ts'));

let home: string;
let entry: string;
let lifetime: Lifetime;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'parley-autostart-'));
  entry = join(home, 'autostart', 'parley.desktop');
  vi.stubEnv('XDG_CONFIG_HOME', home);
  lifetime = new Lifetime('autostart under test');
});

afterEach(async () => {
  await lifetime.end();
  vi.unstubAllEnvs();
  await rm(home, { recursive: true, force: true });
});

const text = () => readFile(entry, 'utf8').catch(() => undefined);

async function put(content: string): Promise<void> {
  await mkdir(join(home, 'autostart'), { recursive: true });
  await writeFile(entry, content);
}

function open(autostart: boolean) {
  const settings = new SettingsStore({ file: new FakeStateFile(), clock: new FakeClock() });
  settings.change({ desktop: { autostart } });
  const notices = new NoticeBoard();
  const told: unknown[] = [];
  notices.listen(({ name, payload }) => told.push([name, payload]));
  openAutostart({ settings, notices, lifetime, log: new FakeLog() });
  return { settings, told, isOn: () => settings.get().desktop.autostart };
}

describe.runIf(process.platform === 'linux')('the autostart entry', () => {
  it('is written to the autostart folder and removed again', async () => {
    const { settings } = open(false);
    settings.change({ desktop: { autostart: true } });
    await eventually(async () => {
      expect(await text()).toContain('"--hidden"');
    });
    settings.change({ desktop: { autostart: false } });
    await eventually(async () => {
      expect(await text()).toBeUndefined();
    });
  });

  it('follows a program that has moved', async () => {
    await put('[Desktop Entry]\nExec=/old/place\n');
    open(true);
    await eventually(async () => {
      expect(await text()).toContain(process.execPath);
    });
  });

  it.each([
    ['disabled', '[Desktop Entry]\nHidden=true\n'],
    ['removed', undefined],
  ])('stays off if the desktop’s settings have %s it', async (_how, left) => {
    if (left !== undefined) await put(left);
    const { isOn } = open(true);
    await eventually(() => {
      expect(isOn()).toBe(false);
    });
    expect(await text()).toBe(left);
  });

  it('reports that it cannot be written, and switches the setting off', async () => {
    await writeFile(join(home, 'autostart'), 'a file where the folder should be');
    const { settings, told, isOn } = open(false);
    settings.change({ desktop: { autostart: true } });
    await eventually(() => {
      expect(told).toEqual([['settingsProblem', appError('autostartFailed', { path: entry })]]);
    });
    expect(isOn()).toBe(false);
  });
});
