import { createAppContext } from '../../../renderer/app/app-context.ts';
import type { RequestName } from '../../../shared/ipc/contract.ts';
import { fakeBridge, fakeCapture } from '../../fakes/fake-bridge.ts';

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
