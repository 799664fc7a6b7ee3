import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  findUpdateGround,
  updateFeedName,
} from '../../../../../electron/platform/updates/update-ground.ts';
import { workFolder } from '../../../../fakes/work-folder.ts';

/** A folder as it comes out of a tar.gz. */
function unpacked() {
  const work = workFolder();
  mkdirSync(work('Parley/resources'), { recursive: true });
  writeFileSync(work('Parley/resources/app.asar'), '');
  const program = { resources: work('Parley/resources'), file: work('Parley/parley') };
  const linux = { platform: 'linux', arch: 'x64', env: {}, running: '0.1.0' } as const;
  return { work, program: { ...program, ...linux } };
}

describe('how this Parley was installed', () => {
  it('is a folder that replaces itself', () => {
    const { program } = unpacked();
    const own = { way: 'replaces', fileEnd: '-linux-x64.tar.gz' };
    expect(findUpdateGround(program)).toMatchObject(own);
    const arm = { way: 'replaces', fileEnd: '-linux-arm64.tar.gz' };
    expect(findUpdateGround({ ...program, arch: 'arm64' })).toMatchObject(arm);
  });

  it('is a package of the system, which is left alone', () => {
    const { work, program } = unpacked();
    expect(findUpdateGround({ ...program, env: { SNAP: '/snap/parley/1' } }).way).toBe('system');
    expect(findUpdateGround({ ...program, env: { FLATPAK_ID: 'x' } }).way).toBe('system');
    writeFileSync(work('Parley/resources/package-type'), 'system\n');
    expect(findUpdateGround(program)).toEqual({ way: 'system' });
  });

  it('is an AppImage where it runs out of it, and not where one has only started it', () => {
    const { work, program } = unpacked();
    writeFileSync(work('Parley.AppImage'), '');
    const env = { APPIMAGE: work('Parley.AppImage'), APPDIR: work('Parley') };
    const image = { way: 'replaces', fileEnd: '-linux-x86_64.AppImage' };
    expect(findUpdateGround({ ...program, env })).toMatchObject(image);
    const other = { ...env, APPDIR: '/tmp/.mount_other' };
    expect(findUpdateGround({ ...program, env: other })).toMatchObject({
      fileEnd: '-linux-x64.tar.gz',
    });
  });

  it('is where it may not write, or is no package: one is told only', () => {
    const { work, program } = unpacked();
    // Nobody may write there, not even root.
    const env = { APPIMAGE: work('moved away/Parley.AppImage'), APPDIR: work('Parley') };
    expect(findUpdateGround({ ...program, env }).way).toBe('tells');
    mkdirSync(work('bin'));
    expect(findUpdateGround({ ...program, file: work('bin/electron') }).way).toBe('tells');
  });

  it.each([
    ['darwin', '-mac-x64.dmg', 'latest-mac.yml'],
    ['win32', '-win-x64.exe', 'latest.yml'],
  ] as const)('is told of on %s', (platform, fileEnd, feed) => {
    const { program } = unpacked();
    expect(findUpdateGround({ ...program, platform })).toEqual({ way: 'tells', fileEnd });
    expect(updateFeedName(platform)).toBe(feed);
  });
});
