import type { StartKeyHelper } from '../../shared/ports/desktop.ts';
import { createPortalBackend } from '../platform/keys/portal-backend.ts';
import { createUiohookBackend } from '../platform/keys/uiohook-backend.ts';
import { opensItsKeys } from '../platform/system/linux-desktop-session.ts';
import { systemClock } from '../platform/system/system-clock.ts';

/** What a host with a desktop around it can hear keys by; `describe` names the key to the person. */
export function composeGlobalKeys(startHelper: StartKeyHelper, describe: () => Promise<string>) {
  const system = { platform: process.platform, environment: process.env };
  return {
    /** Those that know when a key comes up, the best one first. */
    backends: [createUiohookBackend(startHelper, system), createPortalBackend(system, describe)],
    /** Whether programs may take keys here that are meant for others. */
    canTakeKeys: () => opensItsKeys(system),
    clock: systemClock,
  };
}
