import type { FactTypes } from './fact-types.ts';

/** What stands between Parley and a server by a proxy. None of the facts has a name or a password in it. */
export const proxyErrors = {
  proxyAddressForm: {},
  proxyLoginForm: {},
  proxyNotConfirmed: { proxy: 'string' },
  proxyLoginSealed: { proxy: 'string' },
  proxyLoginGone: { proxy: 'string' },
  proxyAway: { proxy: 'string' },
  proxySlow: { proxy: 'string', server: 'string' },
  proxyWantsLogin: { proxy: 'string' },
  proxyRefusesLogin: { proxy: 'string' },
  proxyForbids: { proxy: 'string', server: 'string', status: 'number' },
  proxyReachesNothing: { proxy: 'string', server: 'string', status: 'number' },
  proxyUntrusted: { proxy: 'string' },
  noProxyThere: { proxy: 'string' },
} as const satisfies FactTypes;
