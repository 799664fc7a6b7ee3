import { safeStorage } from 'electron';
import type { Keychain } from '../../ports/secrets.ts';

/**
 * The system's keychain by way of Electron. On Linux without a keyring Electron would seal with a
 * password that everyone can read in its source; that is no keychain, so none is claimed.
 *
 * Electron 45 calls these three old and still has them; what follows them is not in every Electron that runs Parley.
 */
/* oxlint-disable typescript/no-deprecated */
export const systemKeychain: Keychain = {
  available: () => safeStorage.isEncryptionAvailable() && !sealsWithKnownPassword(),
  seal: (text) => safeStorage.encryptString(text),
  open: (sealed) => safeStorage.decryptString(Buffer.from(sealed)),
};
/* oxlint-enable typescript/no-deprecated */

function sealsWithKnownPassword(): boolean {
  if (process.platform !== 'linux') return false;
  return ['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend());
}
