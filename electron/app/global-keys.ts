import type { Clock } from '../../shared/ports/clock.ts';
import type { StartKeyHelper } from '../../shared/ports/desktop.ts';
import { createPortalBackend } from '../platform/keys/portal-backend.ts';
import { createUiohookBackend } from '../platform/keys/uiohook-backend.ts';
import { opensItsKeys } from '../platform/system/linux-desktop-session.ts';
import { systemClock } from '../platform/system/system-clock.ts';
import type { GlobalKeyBackend } from '../talk/keys/global-key-backend.ts';

interface GlobalKeyServices {
  /** Those that know when a key comes up, the best one first. */
  readonly backends: readonly GlobalKeyBackend[];
  /** Whether programs may take keys here that are meant for others. */
  readonly canTakeKeys: () => boolean;
  readonly clock: Clock;
}

/** What a host with a desktop around it can hear keys by; `describe` names the key to the person. */
export function composeGlobalKeys(
  startHelper: StartKeyHelper,
  describe: () => Promise<string>,
): GlobalKeyServices {
  const system = { platform: process.platform, environment: process.env };
  return {
    backends: [createUiohookBackend(startHelper, system), createPortalBackend(system, describe)],
    canTakeKeys: () => opensItsKeys(system),
    clock: systemClock,
  };
}
