import type { StartKeyHelper } from '../../shared/ports/desktop.ts';
import { createPortalBackend } from '../platform/keys/portal-backend.ts';
import { createUiohookBackend } from '../platform/keys/uiohook-backend.ts';
import { canObserveKeys } from '../platform/system/linux-desktop-session.ts';
import type { GlobalKey } from '../../shared/talk/global-key.ts';
import { systemClock } from '../platform/system/system-clock.ts';

/** The ways to hear global keys on this desktop; `describe` names a key to the user. */
export function composeGlobalKeys(
  startHelper: StartKeyHelper,
  describe: (key: GlobalKey) => Promise<string>,
) {
  const system = { platform: process.platform, environment: process.env };
  return {
    /** Backends that report when a key is released, the best first. */
    backends: [createUiohookBackend(startHelper, system), createPortalBackend(system, describe)],
    /** Whether a program may register global keys on this system. */
    canTakeKeys: () => canObserveKeys(system),
    clock: systemClock,
  };
}
