import type { TorturedWindow } from './tortured-window.ts';
import type { DisturbedLine } from './disturbed-line.ts';
import type { SoundServer } from '../contract/sound/sound-server.ts';

export interface WindowVictims {
  readonly parley: TorturedWindow;
  readonly line: DisturbedLine;
  readonly sound: SoundServer;
}

interface WindowFault {
  readonly name: string;
  readonly inflict: (victims: WindowVictims) => Promise<void> | void;
  /** The message that the window must show. */
  readonly message?: RegExp;
  /** Whether the fault may end the talk. */
  readonly mayEnd?: boolean;
  /** Whether an answer must be complete before the fault. */
  readonly needsAnswer?: boolean;
}

const killing =
  (what: RegExp) =>
  ({ parley }: WindowVictims): Promise<void> =>
    parley.kill(what);

/** Each kills something during a talk with camera. */
export const windowFaults: readonly WindowFault[] = [
  { name: 'page', inflict: killing(/^Tab/u), message: /This window crashed and was reopened/u },
  // On Linux, the network service has no separate process.
  ...(process.platform === 'linux'
    ? []
    : [{ name: 'network', inflict: killing(/^Utility .*network/iu) }]),
  { name: 'camera', inflict: killing(/^Utility .*video_capture/iu) },
  { name: 'key', inflict: killing(/^Utility .*Parley keys/u) },
  { name: 'compositor', inflict: killing(/^GPU/u) },
  {
    name: 'line',
    inflict: ({ line }) => line.cut(),
  },
  {
    name: 'sound server',
    inflict: async ({ sound }) => {
      await sound.kill();
      await sound.start();
    },
  },
  {
    name: 'whole app',
    mayEnd: true,
    message: /Parley ended unexpectedly; your talk until .+ is kept/u,
    needsAnswer: true,
    inflict: async ({ parley }) => {
      await parley.killAll();
      await parley.open();
    },
  },
];
