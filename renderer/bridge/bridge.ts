import type { Notice, RequestInput, RequestName, RequestValue } from '../../shared/ipc/contract.ts';
import type { Reply } from '../../shared/ipc/reply.ts';

/** What the core posts without being asked, for those who do not know ipc. */
export type BridgeNotice = Notice;

export type BridgeConnection = 'connected' | 'lost';

/** The renderer's only way to the core; which transport it takes, nobody sees. */
export interface Bridge {
  readonly request: <Name extends RequestName>(
    name: Name,
    input: RequestInput<Name>,
  ) => Promise<Reply<RequestValue<Name>>>;
  /** With how many the core had posted by then. */
  readonly onNotice: (hear: (notice: Notice, revision: number) => void) => void;
  /** Called at once with how it stands, then with every change. */
  readonly onConnection: (hear: (connection: BridgeConnection) => void) => void;
}
