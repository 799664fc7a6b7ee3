import { afterEach, describe, expect, it, vi } from 'vitest';
import { systemKeychain } from '../../../../../electron/hosts/desktop/system-services.ts';

const electron = vi.hoisted(() => ({ available: true, backend: 'gnome_libsecret' }));

vi.mock('electron', () => ({
  safeStorage: {
    isEncryptionAvailable: () => electron.available,
    getSelectedStorageBackend: () => electron.backend,
    encryptString: (text: string) => Buffer.from(Buffer.from(text).toReversed()),
    decryptString: (sealed: Buffer) => Buffer.from(sealed.toReversed()).toString(),
  },
}));

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the keychain of the desktop', () => {
  it.each([
    ['linux', true, 'gnome_libsecret', true],
    ['linux', true, 'kwallet6', true],
    ['linux', true, 'basic_text', false],
    ['linux', true, 'unknown', false],
    ['linux', false, 'gnome_libsecret', false],
    ['darwin', true, 'basic_text', true],
    ['win32', false, '', false],
  ] as const)(
    'is used on %s, available: %s, with %s: %s',
    (platform, available, backend, isUsed) => {
      vi.spyOn(process, 'platform', 'get').mockReturnValue(platform);
      Object.assign(electron, { available, backend });
      expect(systemKeychain.available()).toBe(isUsed);
    },
  );

  it('encrypts and decrypts', () => {
    const sealed = systemKeychain.seal('tok-1');
    expect(Buffer.from(sealed).toString()).toBe('1-kot');
    expect(systemKeychain.open(new Uint8Array(sealed))).toBe('tok-1');
  });
});
