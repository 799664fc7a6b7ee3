import { createPortalBackend } from '../adapters/keys/portal-backend.ts';
import { opensItsKeys } from '../adapters/keys/key-system.ts';
import { createUiohookBackend } from '../adapters/keys/uiohook-backend.ts';
import { systemClock } from '../adapters/system/system-clock.ts';
import type { Clock } from '../ports/clock.ts';
import type { GlobalKeyBackend } from '../ports/global-keys.ts';
import type { StartKeyHelper } from '../ports/key-helper.ts';

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
