import type { Notice, RequestInput, RequestName, RequestValue } from './contract.ts';
import type { Reply } from './reply.ts';

/** The only thing a preload puts into the page: one call per request, and the notices. */
export interface Exposed {
  readonly requests: {
    readonly [Name in RequestName]: (
      input: RequestInput<Name>,
    ) => Promise<Reply<RequestValue<Name>>>;
  };
  readonly onNotice: (hear: (notice: Notice, revision: number) => void) => void;
}

/** Where the page finds it. */
export const exposedKey = 'parley';

/** The two channels of Electron's ipc that Parley uses. */
export const channels = { request: 'parley:request', notice: 'parley:notice' } as const;
