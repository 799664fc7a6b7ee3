import type { Notice, RequestInput, RequestName, RequestValue } from '../../shared/ipc/contract.ts';
import type { Reply } from '../../shared/ipc/reply.ts';

/** What the core tells without being asked, for those who do not speak ipc. */
export type BridgeNotice = Notice;

export type BridgeConnection = 'connected' | 'lost';

/** The renderer's only door to the core; which transport stands behind it, nobody sees. */
export interface Bridge {
  readonly request: <Name extends RequestName>(
    name: Name,
    input: RequestInput<Name>,
  ) => Promise<Reply<RequestValue<Name>>>;
  readonly onNotice: (hear: (notice: Notice) => void) => void;
  /** AppError at once how it stands, then of every change. */
  readonly onConnection: (hear: (connection: BridgeConnection) => void) => void;
}
