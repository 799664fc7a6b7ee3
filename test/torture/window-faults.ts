import type { TorturedWindow } from './tortured-window.ts';
import type { NetworkFaultProxy } from './network-fault-proxy.ts';
import type { SoundServer } from '../contract/sound/sound-server.ts';

/** Everything that a fault of the window test can disturb. */
export interface WindowFaultTarget {
  readonly parley: TorturedWindow;
  readonly line: NetworkFaultProxy;
  readonly sound: SoundServer;
}

interface WindowFault {
  readonly name: string;
  readonly inject: (target: WindowFaultTarget) => Promise<void> | void;
  /** The message that the window must show. */
  readonly message?: RegExp;
  /** Whether the fault may end the talk. */
  readonly mayEnd?: boolean;
  /** Whether the record must contain a part of an answer before the fault. */
  readonly needsAnswer?: boolean;
}

const killing =
  (what: RegExp) =>
  ({ parley }: WindowFaultTarget): Promise<void> =>
    parley.kill(what);

/** Each kills a process or cuts the connection during a talk with camera. */
export const windowFaults: readonly WindowFault[] = [
  { name: 'page', inject: killing(/^Tab/u), message: /This window crashed and was reopened/u },
  // On Linux, the network service has no separate process.
  ...(process.platform === 'linux'
    ? []
    : [{ name: 'network', inject: killing(/^Utility .*network/iu) }]),
  { name: 'camera', inject: killing(/^Utility .*video_capture/iu) },
  { name: 'key', inject: killing(/^Utility .*Parley keys/u) },
  { name: 'compositor', inject: killing(/^GPU/u) },
  {
    name: 'line',
    inject: ({ line }) => line.cut(),
  },
  {
    name: 'sound server',
    inject: async ({ sound }) => {
      await sound.kill();
      await sound.start();
    },
  },
  {
    name: 'whole app',
    mayEnd: true,
    message: /Parley ended unexpectedly; your talk until .+ is kept/u,
    needsAnswer: true,
    inject: async ({ parley }) => {
      await parley.killAll();
      await parley.open();
    },
  },
];
