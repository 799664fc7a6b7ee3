import type { Notice, RequestInput, RequestName, RequestValue, SnapshotName } from './contract.ts';
import type { TalkNotices } from './talk-ipc.ts';
import type { Failure } from '../errors/app-error.ts';

/** A notice with its revision: how many notices the core had posted by then. */
export interface PostedNotice {
  readonly notice: Notice;
  readonly revision: number;
  /** The snapshot that the notice changes. */
  readonly changes?: SnapshotName | undefined;
}

export type NoticeListener = (
  notice: Notice,
  revision: number,
  changes?: PostedNotice['changes'],
) => void;

export type BridgeConnection = 'connected' | 'lost';

/** The page's only access to the core: exposed by the preload script, or a WebSocket in the browser. */
export interface Bridge {
  readonly request: <Name extends RequestName>(
    name: Name,
    input: RequestInput<Name>,
  ) => Promise<Reply<RequestValue<Name>>>;
  /** Each notice comes with its revision and, if it changes a snapshot, that snapshot's name. */
  readonly onNotice: (listener: NoticeListener) => void;
  /** Opens a dropped file. Its path goes to the core, and never to the page. Desktop only. */
  readonly openDropped?: ((file: object) => Promise<Reply<undefined>>) | undefined;
  /** Calls the listener at once with the current state, then on every change. */
  readonly onConnection: (listener: (connection: BridgeConnection) => void) => void;
}

/** The property of `window` that holds the bridge of the preload script. */
export const exposedKey = 'parley';

/** Electron IPC channels. */
export const channels = {
  request: 'parley:request',
  notice: 'parley:notice',
  dropped: 'parley:dropped',
} as const;

/** The path of the WebSocket in the browser host. */
export const connectionPath = '/connection';

/**
 * The subprotocol of that connection. The token is offered as a second subprotocol, because an address appears in
 * consoles, histories and logs.
 */
export const connectionProtocol = 'parley';

/** The longest message without bytes. */
export const maxTextMessageLength = 1024 * 1024;

/** The longest message with bytes, such as a recording of 120 MB. The schema of each request has its own limit, too. */
export const maxBinaryMessageBytes = 128 * 1024 * 1024;

/** A message from the browser host: a reply, or notices in order. */
export type HostMessage =
  | { readonly id: number; readonly reply: Reply<unknown> }
  | PostedNotice
  | { readonly notices: readonly PostedNotice[] };

const highRateNotices = new Set<string>([
  'level',
  'caption',
  'floor',
  'talkStep',
  'talkLimits',
] satisfies readonly (keyof TalkNotices)[]);

/**
 * Whether a notice is posted again and again during a talk, not in reply to an action. The page applies these on its
 * next frame tick, and delays them while it is hidden.
 */
export function isHighRateNotice(notice: string): boolean {
  return highRateNotices.has(notice);
}

/** The reply to every request. Expected failures are values, never exceptions. */
export type Reply<Value> =
  | {
      readonly ok: true;
      readonly value: Value;
      /** For a snapshot: how many notices the core had posted when it was taken. */
      readonly revision?: number | undefined;
    }
  | Failure;
