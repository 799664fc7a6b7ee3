import type { Notice, RequestInput, RequestName, RequestValue } from './contract.ts';
import type { Reply } from './reply.ts';

/** A notice, with how many the core had posted by then. */
export interface PostedNotice {
  readonly notice: Notice;
  readonly revision: number;
}

export type BridgeConnection = 'connected' | 'lost';

/** The page's only way to the core: what a preload puts into the page, or a WebSocket in its place. */
export interface Bridge {
  readonly request: <Name extends RequestName>(
    name: Name,
    input: RequestInput<Name>,
  ) => Promise<Reply<RequestValue<Name>>>;
  /** With how many the core had posted by then. */
  readonly onNotice: (hear: (notice: Notice, revision: number) => void) => void;
  /**
   * A file or folder that was dropped on the page: where it lies goes to the core past the page. Only the desktop has it.
   */
  readonly openDropped?: ((file: object) => Promise<Reply<undefined>>) | undefined;
  /** Called at once with how it stands, then with every change. */
  readonly onConnection: (hear: (connection: BridgeConnection) => void) => void;
}

/** Where the page finds the preload's. */
export const exposedKey = 'parley';

/** The channels of Electron's ipc that Parley uses. */
export const channels = {
  request: 'parley:request',
  notice: 'parley:notice',
  dropped: 'parley:dropped',
} as const;
