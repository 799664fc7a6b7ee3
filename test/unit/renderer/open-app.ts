import { createAppContext } from '../../../renderer/app/app-context.ts';
import type { RequestName } from '../../../shared/ipc/contract.ts';
import { fakeBridge, fakeCapture } from '../../fakes/fake-bridge.ts';
import { emptyScene, type OpenReplay } from '../../../shared/recordings/replay-view.ts';

/** A replay of a one-minute voice talk, at its beginning. */
export const sampleReplay: OpenReplay = {
  kind: 'open',
  origin: { kind: 'example', example: 'voice' },
  facts: { mode: 'audio', endpoint: 'embedded', recordedAt: '2026-10-03T14:02:11Z', cut: false },
  timeline: {
    lengthMs: 60_000,
    readyMs: 60_000,
    turns: [
      { turn: 1, from: 3000, to: 9000, cut: false },
      { turn: 2, from: 20_000, to: 25_000, cut: true },
    ],
    marks: [
      { at: 25_000, kind: 'interruption' },
      { at: 25_300, kind: 'picture', picture: 4 },
      { at: 60_000, kind: 'ending' },
    ],
    ribbon: { everyMs: 50, you: new Uint8Array(1200), parley: new Uint8Array(1200) },
  },
  play: { at: 0, playing: false, speed: 1, sound: 'heard' },
  scene: emptyScene,
};

/** The app over a fake core and, by default, a fake capture; `calls` are those of that capture. */
export function openApp(
  core: Parameters<typeof fakeBridge>[0] = {},
  part: Partial<Pick<Parameters<typeof createAppContext>[0], 'capture' | 'now' | 'pace'>> = {},
) {
  const bridge = fakeBridge(core);
  const { capture, calls } = fakeCapture();
  const app = createAppContext({ bridge: bridge.bridge, capture, now: () => 0, ...part });
  return {
    ...bridge,
    ...app,
    calls,
    /** The inputs of all requests with this name. */
    inputs: (name: RequestName) =>
      bridge.asked.filter((each) => each.name === name).map(({ input }) => input),
  };
}
