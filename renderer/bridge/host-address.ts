const tokenKey = 'parley.token';

type PlaceOfPage = Pick<Window, 'location' | 'history' | 'sessionStorage'>;

/**
 * Where the browser host's WebSocket is. The token comes behind the address's # once; it is then
 * kept for this tab, so that a reload works, and taken out of sight.
 */
export function hostAddress({ location, history, sessionStorage }: PlaceOfPage): string {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given !== null) {
    sessionStorage.setItem(tokenKey, given);
    history.replaceState(null, '', location.pathname + location.search);
  }
  // The dev server serves the page from elsewhere and says where the host is.
  const host = new URLSearchParams(location.search).get('host') ?? location.origin;
  const address = new URL('/connection', host.replace(/^http/, 'ws'));
  address.searchParams.set('token', given ?? sessionStorage.getItem(tokenKey) ?? '');
  return address.href;
}
