import type { Bridge, BridgeConnection } from '../../renderer/app/bridge/ordered-bridge.ts';
import { failure } from '../../shared/errors/app-error.ts';
import type { HearNotice } from '../../shared/ipc/bridge.ts';
import { type Notice, type RequestName, snapshotOf } from '../../shared/ipc/contract.ts';
import { successReply } from './success-reply.ts';
import { redactSettings } from '../../shared/settings/redacted-settings.ts';
import { defaultSettings } from '../../shared/settings/settings.ts';
import { idleTalkView } from '../../shared/talk/talk-view.ts';

const about = { name: 'Parley', version: '1.2.3', host: 'browser', runtime: [] } as const;

interface FakeBridgeOptions {
  readonly works?: boolean;
  /** What is refused although all else works. */
  readonly refused?: readonly RequestName[];
  /** What requests are answered with. */
  readonly values?: Partial<Record<RequestName, unknown>>;
  /** What an answer waits for; a test may change it. */
  readonly until?: Partial<Record<RequestName, Promise<void>>>;
}

/** A bridge whose other end the test holds. */
export function fakeBridge({
  works = true,
  refused = [],
  values: given = {},
  until = {},
}: FakeBridgeOptions = {}) {
  const requests: { name: RequestName; input: unknown }[] = [];
  const listeners: HearNotice[] = [];
  let revision = 0;
  let hearConnection: (connection: BridgeConnection) => void = () => undefined;
  const values: Partial<Record<RequestName, unknown>> = {
    about,
    checkParts: { checking: 2 },
    talk: idleTalkView,
    settings: { settings: redactSettings(defaultSettings), problems: [] },
    ...given,
  };
  const bridge: Bridge = {
    request: async (name, input) => {
      requests.push({ name, input });
      await until[name];
      return works && !refused.includes(name)
        ? successReply(values[name] as never)
        : failure('noTalk');
    },
    onNotice: (hear) => {
      listeners.push(hear);
    },
    onConnection: (hear) => {
      hearConnection = hear;
      hear('connected');
    },
  };
  return {
    bridge,
    about,
    asked: requests,
    names: () => requests.map(({ name }) => name),
    notice: (notice: Notice) => {
      revision += 1;
      for (const hear of listeners) hear(notice, revision, snapshotOf(notice.name));
    },
    /** One that comes out of its order. */
    noticeAt: (notice: Notice, at: number) => {
      for (const hear of listeners) hear(notice, at, snapshotOf(notice.name));
    },
    connection: (state: BridgeConnection) => {
      hearConnection(state);
    },
  };
}

/** A capture controller that does nothing but record what it was asked. */
export function fakeCapture() {
  const calls: string[] = [];
  return {
    told: calls,
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
        calls.push(paused ? 'pause' : 'go on');
      },
      setFrozen: (frozen: boolean) => {
        if (frozen) calls.push('freeze');
      },
    },
  };
}
