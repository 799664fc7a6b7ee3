import type { ProxyRoute } from '../../shared/proxy/proxy-address.ts';
import type { Outcome } from './outcome.ts';

/** Which ways lead to a server on another machine; asked anew for each connection. */
export interface Proxies {
  /** The best first; `url` is the server's, of which scheme, name and port count. */
  readonly routesTo: (url: string) => Promise<Outcome<readonly ProxyRoute[]>>;
}

/** What the system says of it, or the environment where there is no other system to ask. */
export type AskSystemProxy = (url: string) => Promise<readonly ProxyRoute[]>;
