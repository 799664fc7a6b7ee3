import type { Reply, NoticeListener } from '../../shared/ipc/bridge.ts';
import type { Bridge, BridgeConnection } from '../../renderer/app/bridge/ordered-bridge.ts';
import { failure } from '../../shared/errors/app-error.ts';
import { type Notice, type RequestName, snapshotChangedBy } from '../../shared/ipc/contract.ts';
import { redactSettings, defaultSettings } from '../../shared/settings/settings.ts';
import { idleTalkView } from '../../shared/talk/talk-view.ts';

const about = { name: 'Parley', version: '1.2.3', host: 'browser', runtime: [] } as const;

interface FakeBridgeOptions {
  readonly works?: boolean;
  readonly refused?: readonly RequestName[];
  readonly values?: Partial<Record<RequestName, unknown>>;
  /** Opens dropped files, as in the window. */
  readonly openDropped?: Bridge['openDropped'];
  /** Promises that replies wait for; a test may change them. */
  readonly until?: Partial<Record<RequestName, Promise<void>>>;
}

/** A bridge whose core the test plays. */
export function fakeBridge({
  works = true,
  refused = [],
  values: ownValues = {},
  openDropped,
  until = {},
}: FakeBridgeOptions = {}) {
  const requests: { name: RequestName; input: unknown }[] = [];
  const listeners: NoticeListener[] = [];
  let revision = 0;
  let onConnection: (connection: BridgeConnection) => void = () => undefined;
  const values: Partial<Record<RequestName, unknown>> = {
    about,
    checkLibraries: { checking: 2 },
    talk: idleTalkView,
    settings: { settings: redactSettings(defaultSettings), problems: [] },
    ...ownValues,
  };
  const bridge: Bridge = {
    ...(openDropped && { openDropped }),
    request: async (name, input) => {
      requests.push({ name, input });
      await until[name];
      return works && !refused.includes(name)
        ? successReply(values[name] as never)
        : failure('noTalk');
    },
    onNotice: (listener) => {
      listeners.push(listener);
    },
    onConnection: (listener) => {
      onConnection = listener;
      listener('connected');
    },
  };
  return {
    bridge,
    about,
    asked: requests,
    names: () => requests.map(({ name }) => name),
    notice: (notice: Notice) => {
      revision += 1;
      for (const listener of listeners) listener(notice, revision, snapshotChangedBy(notice.name));
    },
    /** Posts a notice with a revision that may be out of order. */
    noticeAt: (notice: Notice, atRevision: number) => {
      for (const listener of listeners)
        listener(notice, atRevision, snapshotChangedBy(notice.name));
    },
    connection: (state: BridgeConnection) => {
      onConnection(state);
    },
  };
}

/** A capture controller that does nothing, and records the calls that open, close, pause, continue and freeze. */
export function fakeCapture() {
  const calls: string[] = [];
  return {
    calls,
    capture: {
      view: () => ({ state: 'off' }) as const,
      subscribe: () => () => undefined,
      open: () => {
        calls.push('open');
        return Promise.resolve();
      },
      change: () => Promise.resolve(),
      follow: () => Promise.resolve(),
      setChunk: () => undefined,
      setActive: () => undefined,
      cameras: () => Promise.resolve([]),
      close: () => {
        calls.push('close');
        return Promise.resolve();
      },
      setPaused: (paused: boolean) => {
        calls.push(paused ? 'pause' : 'continue');
      },
      setFrozen: (frozen: boolean) => {
        if (frozen) calls.push('freeze');
      },
    },
  };
}

/** A reply of the core with a value. */
export function successReply<Value>(value: Value, revision?: number): Reply<Value> {
  return { ok: true, value, ...(revision !== undefined && { revision }) };
}
