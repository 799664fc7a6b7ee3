import type { FactTypes } from './fact-types.ts';

/** Why a key is not heard while another program has the keyboard. */
export const globalKeyErrors = {
  globalKeyUnknown: {},
  globalKeyTaken: {},
  globalKeyAlone: {},
  globalKeyForbidden: {},
  globalKeyHelperFailed: {},
  globalKeyPortalMissing: {},
  globalKeyPortalRefused: {},
} as const satisfies FactTypes;
