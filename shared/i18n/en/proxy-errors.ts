/** What stands between Parley and a server by a proxy. */
export const englishProxyErrors = {
  proxyAddressForm: 'A proxy’s address looks like http://proxy.example:3128.',
  proxyLoginForm:
    'Name and password of a proxy have at most 255 letters each, and the name has no colon.',
  proxyNotConfirmed: 'The proxy {{proxy}} was not confirmed, so Parley does not use it.',
  proxyLoginSealed:
    'The keychain keeps the password for {{proxy}} to itself: unlock it, or type it again.',
  proxyLoginGone:
    'Name and password for {{proxy}} are gone: type them again under Settings, Servers.',
  proxyAway: 'The proxy {{proxy}} can’t be reached: check it under Settings, Servers.',
  proxySlow: 'The proxy {{proxy}} makes no connection to {{server}}: check both, or try again.',
  proxyWantsLogin:
    'The proxy {{proxy}} asks for name and password: type them under Settings, Servers.',
  proxyRefusesLogin:
    'The proxy {{proxy}} refuses name or password: correct them under Settings, Servers.',
  proxyForbids: 'The proxy {{proxy}} forbids {{server}} ({{status}}): ask whoever runs the proxy.',
  proxyReachesNothing:
    'The proxy {{proxy}} can’t reach {{server}} ({{status}}): check the server’s address.',
  proxyUntrusted:
    'The certificate of the proxy {{proxy}} is not trusted here: ask whoever runs it.',
  noProxyThere: '{{proxy}} is not a proxy of this kind: check its address under Settings, Servers.',
} as const;
