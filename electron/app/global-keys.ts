import type { StartKeyHelper } from '../../shared/ports/desktop.ts';
import { createPortalBackend } from '../platform/keys/portal-backend.ts';
import { createUiohookBackend } from '../platform/keys/uiohook-backend.ts';
import { canObserveKeys } from '../platform/system/linux-desktop-session.ts';
import { withholdXKey } from '../platform/x11/x-keys.ts';
import { systemClock } from '../platform/system/system-clock.ts';

/** Backends for global keys. `messages` has the names that the desktop shows for the keys. */
export function composeGlobalKeys(
  startHelper: StartKeyHelper,
  messages: Parameters<typeof createPortalBackend>[1],
) {
  const system = { platform: process.platform, environment: process.env };
  const withhold =
    system.platform === 'linux'
      ? (chord: string) => withholdXKey(system.environment, chord)
      : undefined;
  return {
    /** Backends that report when a key is released, the best first. */
    backends: [
      createUiohookBackend(startHelper, system, withhold),
      createPortalBackend(system, messages),
    ],
    /** Whether this session lets programs observe keys. Electron's global shortcuts depend on this, too; the portal does not. */
    canObserveKeys: () => canObserveKeys(system),
    clock: systemClock,
  };
}
