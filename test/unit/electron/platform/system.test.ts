import { setImmediate as nextTurn } from 'node:timers/promises';
import { mkdirSync, writeFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import type { FileHandle } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  fileFailure,
  renameFile,
  renameFileSync,
} from '../../../../electron/platform/files/atomic-files.ts';
import { appError, type AppError, failure } from '../../../../shared/errors/app-error.ts';
import { createFileWriter } from '../../../../electron/platform/files/file-storage.ts';
import { stateFolder } from '../../../../electron/platform/files/state-folder.ts';
import { examineHardware } from '../../../../electron/platform/model/graphics-card.ts';
import { bundledCertificates } from '../../../../electron/platform/net/system-network.ts';
import { selfSigned } from '../../../fakes/self-signed.ts';
import { workFolder } from '../../../fakes/work-folder.ts';
import {
  findInstallation,
  updateFeedName,
} from '../../../../electron/platform/updates/installation.ts';

const errorWith = (code: string) => Object.assign(new Error('some words'), { code });

it.each([
  [errorWith('ENOENT'), 'fileGone', {}],
  [errorWith('EISDIR'), 'isFolder', {}],
  [errorWith('EEXIST'), 'notFolder', {}],
  [errorWith('EACCES'), 'noPermission', {}],
  [errorWith('ENOSPC'), 'diskFull', {}],
  [errorWith('EROFS'), 'readOnly', {}],
  [errorWith('EWHATEVER'), 'fileUnusable', { error: 'some words' }],
  ['oops', 'fileUnusable', { error: 'oops' }],
] as const)('fileFailure translates %j to %s', (thrown, code, facts) => {
  const { error } = failure(code, { path: 'a/b', ...facts });
  expect(fileFailure('a/b', thrown)).toEqual({ ok: false, error });
});

/** A system that refuses a rename this many times. */
function refusingSystem(platform: string, code: string, times: number) {
  const tries: string[] = [];
  const pauses: number[] = [];
  return {
    tries,
    pauses,
    platform,
    rename: (from: string, to: string): Promise<void> => {
      tries.push(`${from} ${to}`);
      return tries.length > times
        ? Promise.resolve()
        : Promise.reject(Object.assign(new Error(code), { code }));
    },
    wait: (milliseconds: number): Promise<void> => {
      pauses.push(milliseconds);
      return Promise.resolve();
    },
  };
}

describe('renameFile', () => {
  it.each(['EPERM', 'EACCES', 'EBUSY'])('retries on Windows after %s', async (code) => {
    const system = refusingSystem('win32', code, 3);
    await renameFile('a', 'b', system);
    expect(system.tries).toEqual(['a b', 'a b', 'a b', 'a b']);
    expect(system.pauses).toEqual([33, 66, 132]);
  });

  it('gives up on Windows after a second, with the reason', async () => {
    const system = refusingSystem('win32', 'EBUSY', 100);
    await expect(renameFile('a', 'b', system)).rejects.toThrow('EBUSY');
    expect(system.pauses.reduce((sum, pause) => sum + pause, 0)).toBe(1023);
  });
});

it('renameFileSync retries for a second on Windows, and tries only once elsewhere', () => {
  const rename = (platform: string, times: number) => {
    let tries = 0;
    const pauses: number[] = [];
    const system = {
      platform,
      rename: () => {
        tries += 1;
        if (tries <= times) throw errorWith('EPERM');
      },
      wait: (milliseconds: number) => void pauses.push(milliseconds),
    };
    return { pauses, run: () => renameFileSync('a', 'b', system) };
  };
  const [brief, lasting, elsewhere] = [rename('win32', 3), rename('win32', 99), rename('linux', 1)];
  brief.run();
  expect(brief.pauses).toEqual([33, 66, 132]);
  expect(lasting.run).toThrow('some words');
  expect(lasting.pauses.reduce((sum, pause) => sum + pause, 0)).toBe(1023);
  expect(elsewhere.run).toThrow('some words');
  expect(elsewhere.pauses).toEqual([]);
});

/** A disk that accepts three bytes at a time, and whose first writes are the slowest. */
function slowDisk() {
  const file: number[] = [];
  let turns = 8;
  const write = async (bytes: Uint8Array, from: number, length: number, position: number) => {
    turns /= 2;
    for (let turn = 0; turn < turns; turn += 1) await nextTurn();
    const taken = bytes.subarray(from, from + Math.min(3, length));
    for (const [index, byte] of taken.entries()) file[position + index] = byte;
    return { bytesWritten: taken.length };
  };
  const handle = { write, close: () => Promise.resolve() } as unknown as FileHandle;
  return { file, handle };
}

describe('createFileWriter', () => {
  it('writes in order, even if earlier writes take longer', async () => {
    const { file, handle } = slowDisk();
    const writer = createFileWriter('a', handle);
    writer.append(new Uint8Array([1, 2, 3, 4, 5, 6, 7]));
    writer.writeAt(0, new Uint8Array([9]));
    writer.append(new Uint8Array([8]));
    await writer.close();
    expect(file).toEqual([9, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('stops at its size limit, keeps what is written, and reports the limit once', async () => {
    const { file, handle } = slowDisk();
    const errors: AppError[] = [];
    const writer = createFileWriter('a', handle, (error) => errors.push(error), 4);
    writer.append(new Uint8Array([1, 2, 3]));
    writer.append(new Uint8Array([4, 5]));
    writer.append(new Uint8Array([6]));
    const error = appError('fileFull', { path: 'a', limit: '0 MB' });
    expect(await writer.close()).toEqual({ ok: false, error });
    expect([file, errors]).toEqual([[1, 2, 3], [error]]);
  });
});

describe('the state folder', () => {
  it.each<[NodeJS.Platform, Record<string, string>, string]>([
    ['linux', {}, '/home/a/.local/state/parley'],
    ['linux', { XDG_STATE_HOME: '/x/state' }, '/x/state/parley'],
    ['linux', { XDG_STATE_HOME: 'not/absolute' }, '/home/a/.local/state/parley'],
    ['darwin', { XDG_STATE_HOME: '/x' }, '/home/a/Library/Application Support/Parley'],
    ['win32', { LOCALAPPDATA: String.raw`C:\Local` }, String.raw`C:\Local\Parley`],
    ['win32', {}, String.raw`\home\a\AppData\Local\Parley`],
    ['linux', { PARLEY_STATE_DIR: '/t' }, '/t'],
  ])('on %s with %j is %s', (platform, env, expected) => {
    expect(stateFolder(env, platform, '/home/a')).toBe(expected);
  });
});

const memory = 64 * 1024 ** 3;

function sourcesWith(outputs: Readonly<Record<string, string>>, system: NodeJS.Platform = 'linux') {
  return {
    run: (program: string, parameters: readonly string[]) =>
      Promise.resolve(outputs[[program, ...parameters].join(' ')] ?? outputs[program] ?? ''),
    drmFolder: '/nowhere',
    system,
    memoryBytes: () => memory,
  };
}

const vulkanSummary = `Devices:
========
GPU0:
	vendorID           = 0x10005
	deviceType         = PHYSICAL_DEVICE_TYPE_CPU
	deviceName         = llvmpipe (LLVM 15.0.6, 256 bits)
GPU1:
	vendorID           = 0x1002
	deviceType         = PHYSICAL_DEVICE_TYPE_DISCRETE_GPU
	deviceName         = AMD Radeon RX 7900 XT (RADV NAVI31)
`;

describe('examineHardware', () => {
  it('knows the name, memory and free memory of a card from nvidia-smi', async () => {
    const sources = sourcesWith({ 'nvidia-smi': 'NVIDIA GeForce RTX 4070, 12282, 5120, 8.9\n' });
    expect(await examineHardware(1e12, sources)).toEqual({
      card: {
        name: 'NVIDIA GeForce RTX 4070',
        kind: 'nvidia',
        memoryBytes: 12_282 * 1024 ** 2,
        freeBytes: 5120 * 1024 ** 2,
      },
      memoryBytes: memory,
      freeDiskBytes: 1e12,
      verdict: 'fit',
      hasRoomForTwo: false,
    });
  });

  it('is uncertain about a card that only Vulkan reports, and ignores software rendering', async () => {
    const found = await examineHardware(undefined, sourcesWith({ vulkaninfo: vulkanSummary }));
    expect(found.card?.name).toBe('AMD Radeon RX 7900 XT (RADV NAVI31)');
    expect(found.verdict).toBe('uncertain');
  });

  it('finds no card if no program answers', async () => {
    expect((await examineHardware(undefined, sourcesWith({}))).verdict).toBe('noCard');
  });
});

const [one, two, three] = [selfSigned().cert, selfSigned().cert, selfSigned().cert];

function addedCertificates(
  env: Record<string, string>,
  bundles: readonly string[],
): readonly string[] {
  const all = bundledCertificates(env, bundles);
  expect(all.slice(0, rootCertificates.length)).toEqual(rootCertificates);
  return all.slice(rootCertificates.length);
}

describe('the certificates that an older Node reads from files', () => {
  it('come from the environment and the system’s bundle, without duplicates', () => {
    const at = workFolder();
    writeFileSync(at('bundle'), `# one\n${one}\n# two\n${two.replaceAll('\n', '\r\n')}`);
    writeFileSync(at('extra'), three + one);
    const env = { NODE_EXTRA_CA_CERTS: at('extra'), SSL_CERT_FILE: at('bundle') };
    const expected = [three, one, two].map((text) => text.trim());
    expect(addedCertificates(env, [at('bundle')])).toEqual(expected);
    expect(addedCertificates({}, [at('bundle')])).toEqual([one.trim(), two.trim()]);
  });
});

/** A program folder, as unpacked from a tar.gz or mounted by an AppImage. */
function unpacked() {
  const work = workFolder();
  mkdirSync(work('Parley/resources'), { recursive: true });
  const program = { resources: work('Parley/resources'), file: work('Parley/parley') };
  return { work, program: { ...program, platform: 'linux', arch: 'x64', env: {} } as const };
}

describe('findInstallation', () => {
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

  it.each([
    ['darwin', '-mac-x64.dmg', 'latest-mac.yml'],
    ['win32', '-win-x64.exe', 'latest.yml'],
  ] as const)(
    'announces updates, but does not install them, on %s',
    (platform, packageSuffix, feed) => {
      const { program } = unpacked();
      expect(findInstallation({ ...program, platform })).toEqual({
        kind: 'announces',
        packageSuffix,
      });
      expect(updateFeedName(platform)).toBe(feed);
    },
  );
});
