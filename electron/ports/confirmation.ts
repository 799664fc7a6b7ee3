import type { Settings } from '../../shared/settings/settings.ts';

/** Questions that are put to the person past every page, which could have been taken over. */
export interface Confirmation {
  /** Whether a server that was not there before may be used; `server` is its scheme, name and port. */
  readonly newServer: (
    server: string,
    language: Settings['appearance']['language'],
  ) => Promise<boolean>;
  /** Whether servers may be reached by a proxy that was not there before. */
  readonly newProxy: Confirmation['newServer'];
}
