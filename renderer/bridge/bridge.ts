import type { Bridge, BridgeConnection } from '../../shared/ipc/bridge.ts';
import type { Notice } from '../../shared/ipc/contract.ts';

export type { Bridge, BridgeConnection };

/** What the core posts without being asked, for those who do not know ipc. */
export type BridgeNotice = Notice;
