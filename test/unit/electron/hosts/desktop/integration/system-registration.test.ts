import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { lstatSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  autostartEntry,
  defaultsFor,
  linkEntryText,
  openAutostart,
  openLinkHandler,
  readAutostartEntry,
  withDefault,
  withoutDefault,
} from '../../../../../../electron/hosts/desktop/integration/system-registration.ts';
import { NoticeBoard } from '../../../../../../electron/app/ipc/request-dispatcher.ts';
import { SettingsStore } from '../../../../../../electron/settings/settings-store.ts';
import { appError, failure } from '../../../../../../shared/errors/app-error.ts';
import { Lifetime } from '../../../../../../shared/lifetime.ts';
import { eventually } from '../../../../../fakes/promises.ts';
import { FakeClock } from '../../../../../fakes/fake-clock.ts';
import { FakeLog } from '../../../../../fakes/fake-log.ts';
import { FakeStateFile } from '../../../../../fakes/fake-state-file.ts';
import { LinkRegistrationControl } from '../../../../../../electron/app/parley-links.ts';

vi.mock('electron', () => import('../../../../../fakes/fake-electron.ts'));

let home: string;
let lifetime: Lifetime;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'parley-registration-'));
  vi.stubEnv('XDG_CONFIG_HOME', join(home, 'config'));
  vi.stubEnv('XDG_DATA_HOME', join(home, 'data'));
  // Hides the real tools, which are slow and would not change these files.
  vi.stubEnv('PATH', home);
  lifetime = new Lifetime('registration under test');
});

afterEach(async () => {
  await lifetime.end();
  await rm(home, { recursive: true, force: true });
});

const read = (path: string) => readFile(path, 'utf8').catch(() => undefined);

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

/** Settings with this switch on or off, and the notices that are posted. */
function openCore(name: 'autostart' | 'links', isOn: boolean) {
  const settings = new SettingsStore({ file: new FakeStateFile(), clock: new FakeClock() });
  settings.change({ desktop: { [name]: isOn } });
  const notices = new NoticeBoard();
  const posted: unknown[] = [];
  notices.listen((notice) => posted.push([notice.name, notice.payload]));
  const core = { settings, notices, lifetime, log: new FakeLog() };
  return { settings, posted, core, isOn: () => settings.get().desktop[name] };
}

describe('the text of the autostart entry', () => {
  it('starts the program hidden, and counts as off if the desktop’s settings have disabled it', () => {
    const entry = autostartEntry(['/opt/Parley/parley', '--hidden']);
    expect(entry.split('\n')).toEqual([
      '[Desktop Entry]',
      'Type=Application',
      'Version=1.0',
      'Name=Parley',
      'Exec="/opt/Parley/parley" "--hidden"',
      'Terminal=false',
      'X-GNOME-Autostart-enabled=true',
      '',
    ]);
    expect(readAutostartEntry(entry)).toBe('on');
    expect(readAutostartEntry(`${entry}Hidden=true\n`)).toBe('off');
    expect(readAutostartEntry(entry.replace('enabled=true', 'enabled=false'))).toBe('off');
  });

  it.each([
    ['/home/a b/parley', '"/home/a b/parley"'],
    ['/100%/parley', '"/100%%/parley"'],
    ['/a"b', String.raw`"/a\\"b"`],
    ['/$HOME/`x`', '"/\\\\$HOME/\\\\`x\\\\`"'],
    ['/back\\slash', String.raw`"/back\\\\slash"`],
    ['/two\nExec=evil', String.raw`"/two\nExec=evil"`],
  ])('has %j as one word on one line', (path, quoted) => {
    const lines = autostartEntry([path]).split('\n');
    expect([lines.length, lines[4]]).toEqual([8, `Exec=${quoted}`]);
  });
});

describe.runIf(process.platform === 'linux')('the autostart entry', () => {
  let entry: string;

  beforeEach(() => {
    entry = join(home, 'config', 'autostart', 'parley.desktop');
  });

  function open(isOn: boolean) {
    const opened = openCore('autostart', isOn);
    openAutostart(opened.core);
    return opened;
  }

  it('follows the setting, and is rewritten if the program has moved', async () => {
    await put(entry, '[Desktop Entry]\nExec=/old/place\n');
    const { settings } = open(true);
    await eventually(async () => {
      expect(await read(entry)).toContain(`"${process.execPath}" "/parley" "--hidden"`);
    });
    settings.change({ desktop: { autostart: false } });
    await eventually(async () => {
      expect(await read(entry)).toBeUndefined();
    });
  });

  it('turns its setting off at start if the desktop’s settings have disabled it', async () => {
    await put(entry, '[Desktop Entry]\nHidden=true\n');
    const { isOn } = open(true);
    await expect.poll(() => isOn()).toBe(false);
  });

  it('is reported if it cannot be written, and the setting is turned off', async () => {
    await writeFile(join(home, 'config'), 'a file where the folder should be');
    const { settings, posted, isOn } = open(false);
    settings.change({ desktop: { autostart: true } });
    await expect
      .poll(() => posted)
      .toEqual([['settingsProblem', appError('autostartFailed', { path: entry })]]);
    expect(isOn()).toBe(false);
  });
});

/** The user's default programs while Parley handles its links. */
const chosen = '[Default Applications]\nx-scheme-handler/parley=parley-links.desktop;\n';

describe.runIf(process.platform === 'linux')('the link handler', () => {
  let entry: string;
  let choices: string;

  beforeEach(() => {
    entry = join(home, 'data', 'applications', 'parley-links.desktop');
    choices = join(home, 'config', 'mimeapps.list');
  });

  function open(isOn: boolean) {
    const opened = openCore('links', isOn);
    const linkRegistration = new LinkRegistrationControl(opened.settings);
    openLinkHandler({ ...opened.core, linkRegistration });
    return { ...opened, linkRegistration };
  }

  it('is registered when its setting is turned on, and removed when it is turned off', async () => {
    const { settings } = open(false);
    settings.change({ desktop: { links: true } });
    await eventually(async () => {
      expect(await read(choices)).toBe(chosen);
    });
    expect(await read(entry)).toContain(`Exec=${process.execPath} /parley %u\n`);
    expect(await read(entry)).toContain('MimeType=x-scheme-handler/parley;\n');
    settings.change({ desktop: { links: false } });
    await eventually(async () => {
      expect(await read(choices)).toBe('[Default Applications]\n');
    });
    expect(await read(entry)).toBeUndefined();
  });

  it('is switched by a command, which also repairs a deleted registration', async () => {
    const { linkRegistration, isOn } = open(false);
    const done = { ok: true, value: undefined };
    expect(await linkRegistration.set(true)).toEqual(done);
    expect([await read(choices), isOn()]).toEqual([chosen, true]);
    await rm(choices);
    await rm(entry);
    expect(await linkRegistration.state()).toEqual({ ok: true, value: 'off' });
    expect(await linkRegistration.set(true)).toEqual(done);
    expect(await linkRegistration.state()).toEqual({ ok: true, value: 'on' });
    expect(await linkRegistration.set(false)).toEqual(done);
    expect([await read(entry), isOn()]).toEqual([undefined, false]);
  });

  it('refuses a command if the registration cannot be written, or after Parley’s end', async () => {
    await put(join(home, 'data', 'applications'), 'a file where a folder should be');
    const { linkRegistration, isOn } = open(false);
    expect(await linkRegistration.set(true)).toEqual(failure('linksFailed', { path: entry }));
    expect(isOn()).toBe(false);
    await lifetime.end();
    expect(await linkRegistration.set(true)).toEqual(failure('linksNotHere'));
  });

  it('is rewritten if the program has moved, and does not replace a symbolic link', async () => {
    await put(entry, '[Desktop Entry]\nExec=/old/place %u\n');
    await put(join(home, 'dotfiles'), chosen);
    await mkdir(dirname(choices), { recursive: true });
    await symlink(join(home, 'dotfiles'), choices);
    open(true);
    await eventually(async () => {
      expect(await read(entry)).toContain(process.execPath);
    });
    expect(lstatSync(choices).isSymbolicLink()).toBe(true);
  });

  it.each([
    ['removed its entry', undefined, chosen],
    ['chosen another program', 'Exec=x', chosen.replace('parley-links', 'other')],
  ])('turns its setting off at start if the user has %s', async (_how, content, list) => {
    if (content !== undefined) await put(entry, content);
    await put(choices, list);
    const { isOn } = open(true);
    await expect.poll(() => isOn()).toBe(false);
    expect([await read(entry), await read(choices)]).toEqual([content, list]);
  });

  it.each([
    ['/opt/Parley/parley', '/opt/Parley/parley %u'],
    ['/two\nExec=evil', String.raw`"/two\nExec=evil" %u`],
  ])('has %j as one word on one line', (path, exec) => {
    expect(/^Exec=(.*)$/mu.exec(linkEntryText([path]))?.[1]).toBe(exec);
  });
});

const type = 'x-scheme-handler/parley';
const ours = 'parley-links.desktop';
const others = [
  '# mine',
  '[Added Associations]',
  `${type}=elsewhere.desktop;`,
  'text/plain=vim.desktop;',
  '',
  '[Default Applications]',
  'text/html=firefox.desktop',
  '',
].join('\n');

describe('the default programs of mimeapps.list', () => {
  it.each([
    ['', `[Default Applications]\n${type}=${ours};\n`],
    ['[Other]\nx=y', `[Other]\nx=y\n[Default Applications]\n${type}=${ours};\n`],
    [
      others,
      others.replace('[Default Applications]\n', `[Default Applications]\n${type}=${ours};\n`),
    ],
  ])('gain the entry once, on a separate line, in %j', (text, expected) => {
    const added = withDefault(text, type, ours);
    expect(added).toBe(expected);
    expect(withDefault(added, type, ours)).toBe(added);
    expect(defaultsFor(added, type)).toEqual([ours]);
  });

  it('keep the user’s earlier choices after Parley’s, and return to them when Parley’s is removed', () => {
    const chosen = `[Default Applications]\n ${type} = other.desktop ; third.desktop\n`;
    const added = withDefault(chosen, type, ours);
    expect(defaultsFor(added, type)).toEqual([ours, 'other.desktop', 'third.desktop']);
    const remaining = withoutDefault(added, type, ours);
    expect(defaultsFor(remaining, type)).toEqual(['other.desktop', 'third.desktop']);
  });
});
