import { lstatSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NoticeBoard } from '../../../../../../electron/app/ipc/request-dispatcher.ts';
import { LinkRegistrationControl } from '../../../../../../electron/app/parley-links.ts';
import {
  linkEntryText,
  openLinkHandler,
} from '../../../../../../electron/hosts/desktop/integration/system-registration.ts';
import { SettingsStore } from '../../../../../../electron/settings/settings-store.ts';
import { appError, failure } from '../../../../../../shared/errors/app-error.ts';
import { Lifetime } from '../../../../../../shared/lifetime.ts';
import { eventually } from '../../../../../fakes/eventually.ts';
import { FakeClock } from '../../../../../fakes/fake-clock.ts';
import { FakeLog } from '../../../../../fakes/fake-log.ts';
import { FakeStateFile } from '../../../../../fakes/fake-state-file.ts';

vi.mock('electron', () => import('../../../../../fakes/fake-electron.ts'));

let home: string;
let entry: string;
let choices: string;
let lifetime: Lifetime;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'parley-links-'));
  entry = join(home, 'data', 'applications', 'parley-links.desktop');
  choices = join(home, 'config', 'mimeapps.list');
  vi.stubEnv('XDG_CONFIG_HOME', join(home, 'config'));
  vi.stubEnv('XDG_DATA_HOME', join(home, 'data'));
  // Hides the real tools, which are slow and would not change these files.
  vi.stubEnv('PATH', home);
  lifetime = new Lifetime('links under test');
});

afterEach(async () => {
  await lifetime.end();
  vi.unstubAllEnvs();
  await rm(home, { recursive: true, force: true });
});

const text = (path: string) => readFile(path, 'utf8').catch(() => undefined);

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

function open(links: boolean) {
  const settings = new SettingsStore({ file: new FakeStateFile(), clock: new FakeClock() });
  settings.change({ desktop: { links } });
  const notices = new NoticeBoard();
  const told: unknown[] = [];
  notices.listen(({ name, payload }) => told.push([name, payload]));
  const linkRegistration = new LinkRegistrationControl(settings);
  openLinkHandler({ settings, notices, lifetime, linkRegistration, log: new FakeLog() });
  return { settings, told, linkRegistration, isOn: () => settings.get().desktop.links };
}

const chosen = '[Default Applications]\nx-scheme-handler/parley=parley-links.desktop;\n';

describe.runIf(process.platform === 'linux')('the link handler', () => {
  it('writes nothing unless it is turned on', async () => {
    const { settings } = open(false);
    settings.change({ desktop: { autostart: true } });
    await lifetime.end();
    expect([await text(entry), await text(choices)]).toEqual([undefined, undefined]);
  });

  it('is written to the system’s folder and removed again', async () => {
    const { settings } = open(false);
    settings.change({ desktop: { links: true } });
    await eventually(async () => {
      expect(await text(choices)).toBe(chosen);
    });
    expect(await text(entry)).toContain(`Exec=${process.execPath} /parley %u\n`);
    expect(await text(entry)).toContain('MimeType=x-scheme-handler/parley;\n');
    settings.change({ desktop: { links: false } });
    await eventually(async () => {
      expect(await text(choices)).toBe('[Default Applications]\n');
    });
    expect(await text(entry)).toBeUndefined();
  });

  it('is switched by a command, which reports it once the registration matches', async () => {
    const { linkRegistration, isOn } = open(false);
    expect(await linkRegistration.state()).toEqual({ ok: true, value: 'off' });
    expect(await linkRegistration.set(true)).toEqual({ ok: true, value: undefined });
    expect([await text(choices), isOn()]).toEqual([chosen, true]);
    // The registration is deleted while the setting is on.
    await rm(choices);
    await rm(entry);
    expect(await linkRegistration.state()).toEqual({ ok: true, value: 'off' });
    expect(await linkRegistration.set(true)).toEqual({ ok: true, value: undefined });
    expect(await linkRegistration.state()).toEqual({ ok: true, value: 'on' });
    expect(await linkRegistration.set(false)).toEqual({ ok: true, value: undefined });
    expect([await text(entry), isOn()]).toEqual([undefined, false]);
  });

  it('fails a command if the registration cannot be written or does not exist', async () => {
    await put(join(home, 'data', 'applications'), 'a file where a folder should be');
    const { linkRegistration, isOn } = open(false);
    expect(await linkRegistration.set(true)).toEqual(failure('linksFailed', { path: entry }));
    expect(isOn()).toBe(false);
    await lifetime.end();
    expect(await linkRegistration.set(true)).toEqual(failure('linksNotHere'));
    expect(await linkRegistration.state()).toEqual(failure('linksNotHere'));
  });

  it('follows a program that has moved, and keeps a linked file linked', async () => {
    await put(entry, '[Desktop Entry]\nExec=/old/place %u\n');
    await put(join(home, 'dotfiles'), chosen);
    await mkdir(dirname(choices), { recursive: true });
    await symlink(join(home, 'dotfiles'), choices);
    open(true);
    await eventually(async () => {
      expect(await text(entry)).toContain(process.execPath);
    });
    expect(lstatSync(choices).isSymbolicLink()).toBe(true);
  });

  it.each([
    ['removed its entry', undefined, chosen],
    ['chosen another program', 'Exec=x', chosen.replace('parley-links', 'other')],
  ])('stays off if the user has %s', async (_how, left, list) => {
    if (left !== undefined) await put(entry, left);
    await put(choices, list);
    const { isOn } = open(true);
    await eventually(() => {
      expect(isOn()).toBe(false);
    });
    expect([await text(entry), await text(choices)]).toEqual([left, list]);
  });

  it('reports that it cannot be written, and switches the setting off', async () => {
    await writeFile(join(home, 'data'), 'a file where the folder should be');
    const { settings, told, isOn } = open(false);
    settings.change({ desktop: { links: true } });
    await eventually(() => {
      expect(told).toEqual([['settingsProblem', appError('linksFailed', { path: entry })]]);
    });
    expect(isOn()).toBe(false);
    expect(await text(choices)).toBeUndefined();
  });

  it('updates the desktop’s database if the tool exists', async () => {
    const tool = join(home, 'update-desktop-database');
    await writeFile(tool, `#!/bin/sh\necho "$1" > "${home}/told"\n`);
    await chmod(tool, 0o755);
    open(false).settings.change({ desktop: { links: true } });
    await eventually(async () => {
      expect(await text(join(home, 'told'))).toBe(`${dirname(entry)}\n`);
    });
  });

  it.each([
    ['/opt/Parley/parley', '/opt/Parley/parley %u'],
    ['/home/a b/parley', '"/home/a b/parley" %u'],
    ['/100%/parley', '"/100%%/parley" %u'],
    ['/two\nExec=evil', String.raw`"/two\nExec=evil" %u`],
  ])('has %j as one word on one line', (path, exec) => {
    expect(/^Exec=(.*)$/mu.exec(linkEntryText([path]))?.[1]).toBe(exec);
  });
});
