import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  findInstallation,
  updateFeedName,
} from '../../../../../electron/platform/updates/installation.ts';
import { workFolder } from '../../../../fakes/work-folder.ts';

/** A program folder, as unpacked from a tar.gz or mounted by an AppImage. */
function unpacked() {
  const work = workFolder();
  mkdirSync(work('Parley/resources'), { recursive: true });
  const program = { resources: work('Parley/resources'), file: work('Parley/parley') };
  return { work, program: { ...program, platform: 'linux', arch: 'x64', env: {} } as const };
}

describe('findInstallation', () => {
  it('recognizes an unpacked folder, for which Parley only announces updates', () => {
    const { program } = unpacked();
    const folder = { kind: 'announces', packageSuffix: '-linux-x64.tar.gz' };
    expect(findInstallation(program)).toEqual(folder);
    const arm = { kind: 'announces', packageSuffix: '-linux-arm64.tar.gz' };
    expect(findInstallation({ ...program, arch: 'arm64' })).toEqual(arm);
  });

  it('recognizes a package of the system', () => {
    const { work, program } = unpacked();
    expect(findInstallation({ ...program, env: { SNAP: '/snap/parley/1' } }).kind).toBe('system');
    expect(findInstallation({ ...program, env: { FLATPAK_ID: 'x' } }).kind).toBe('system');
    writeFileSync(work('Parley/resources/package-type'), 'system\n');
    expect(findInstallation(program)).toEqual({ kind: 'system' });
  });

  it('recognizes an AppImage only if the program runs from it', () => {
    const { work, program } = unpacked();
    const image = work('Parley.AppImage');
    writeFileSync(image, '');
    const env = { APPIMAGE: image, APPDIR: work('Parley') };
    const own = { kind: 'installs', packageSuffix: '-linux-x86_64.AppImage', image };
    expect(findInstallation({ ...program, env })).toEqual(own);
    const other = { ...env, APPDIR: '/tmp/.mount_other' };
    expect(findInstallation({ ...program, env: other })).toMatchObject({
      packageSuffix: '-linux-x64.tar.gz',
    });
  });

  it('recognizes a read-only AppImage, for which Parley only announces updates', () => {
    const { work, program } = unpacked();
    // Not writable even for root.
    const env = { APPIMAGE: work('moved away/Parley.AppImage'), APPDIR: work('Parley') };
    const announced = { kind: 'announces', packageSuffix: '-linux-x86_64.AppImage' };
    expect(findInstallation({ ...program, env })).toEqual(announced);
  });

  it.each([
    ['darwin', '-mac-x64.dmg', 'latest-mac.yml'],
    ['win32', '-win-x64.exe', 'latest.yml'],
  ] as const)('only announces updates on %s', (platform, packageSuffix, feed) => {
    const { program } = unpacked();
    expect(findInstallation({ ...program, platform })).toEqual({
      kind: 'announces',
      packageSuffix,
    });
    expect(updateFeedName(platform)).toBe(feed);
  });
});
