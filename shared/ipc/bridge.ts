import type { Notice, RequestInput, RequestName, RequestValue, SnapshotName } from './contract.ts';
import type { Reply } from './reply.ts';
import type { TalkNotices } from './talk-ipc.ts';

/** A notice, with how many the core had posted by then. */
export interface PostedNotice {
  readonly notice: Notice;
  readonly revision: number;
  /** The snapshot that it tells of a change to. */
  readonly changes?: SnapshotName | undefined;
}

export type HearNotice = (
  notice: Notice,
  revision: number,
  changes?: PostedNotice['changes'],
) => void;

export type BridgeConnection = 'connected' | 'lost';

/** The page's only way to the core: what a preload puts into the page, or a WebSocket in its place. */
export interface Bridge {
  readonly request: <Name extends RequestName>(
    name: Name,
    input: RequestInput<Name>,
  ) => Promise<Reply<RequestValue<Name>>>;
  /** Each with what `PostedNotice` says of it. */
  readonly onNotice: (hear: HearNotice) => void;
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

/** Where the browser host takes its page's WebSocket. */
export const connectionPath = '/connection';

/**
 * The WebSocket subprotocol of that connection. The token is offered as a second one: unlike an
 * address, what is offered shows up in no console, no history and no log.
 */
export const connectionProtocol = 'parley';

/** A request or an answer without bytes in it. */
export const maxTextMessageLength = 1024 * 1024;

/** One with bytes, such as a recording of 120 MB; what a single request may carry its own check says. */
export const maxBinaryMessageBytes = 128 * 1024 * 1024;

/** What the browser host sends on that connection: an answer to one request, or notices in their order. */
export type HostMessage =
  | { readonly id: number; readonly reply: Reply<unknown> }
  | PostedNotice
  | { readonly notices: readonly PostedNotice[] };

const flowing = new Set<string>([
  'level',
  'caption',
  'floor',
  'talkStep',
  'talkLimits',
] satisfies readonly (keyof TalkNotices)[]);

/**
 * What flows by itself while one talks, many times a second: nobody has done anything that it answers. It comes to the
 * screen on the screen's own beat, and waits for as long as there is no screen to be seen.
 */
export function isFlowing(notice: string): boolean {
  return flowing.has(notice);
}
