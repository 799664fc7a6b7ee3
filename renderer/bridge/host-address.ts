import { connectionPath } from '../../shared/ipc/connection.ts';

const tokenKey = 'parley.token';

export interface HostAddress {
  readonly address: string;
  readonly token: string;
}

type PageLocation = Pick<Window, 'location' | 'history' | 'sessionStorage'>;

/**
 * Where the browser host's WebSocket is. The token comes behind the address's # once; it is then
 * kept for this tab, so that a reload works, and taken out of sight.
 */
export function hostAddress({ location, history, sessionStorage }: PageLocation): HostAddress {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given !== null) {
    sessionStorage.setItem(tokenKey, given);
    history.replaceState(null, '', location.pathname + location.search);
  }
  // The dev server serves the page from elsewhere and says where the host is.
  const elsewhere = import.meta.env.DEV ? new URLSearchParams(location.search).get('host') : null;
  const { href } = new URL(connectionPath, (elsewhere ?? location.origin).replace(/^http/, 'ws'));
  return { address: href, token: given ?? sessionStorage.getItem(tokenKey) ?? '' };
}
