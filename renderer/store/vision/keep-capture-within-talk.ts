import type { CaptureController } from '../../capture/capture-controller.ts';
import type { Store } from '../store.ts';
import type { UiState } from '../ui-state.ts';
import { mayCapture, takesFrames } from './vision-ui-state.ts';

interface CaptureWithinTalkDeps {
  readonly store: Store<UiState>;
  readonly capture: Pick<CaptureController, 'view' | 'setActive'>;
  readonly actions: {
    readonly setCapture: (on: boolean) => Promise<void>;
    readonly stopPicking: () => void;
  };
}

/**
 * A camera or a shared screen never outlives its talk, however that ends: what is open without one that takes
 * pictures is closed, in the moment in which the page learns of it.
 */
export function keepCaptureWithinTalk({ store, capture, actions }: CaptureWithinTalkDeps): void {
  const follow = (): void => {
    const { visionUi } = store.getState();
    const takes = takesFrames(store.getState());
    capture.setActive(takes);
    if (takes && visionUi.awaitsTalk) {
      store.setState({ visionUi: { ...visionUi, awaitsTalk: false } });
      return;
    }
    if (mayCapture(store.getState())) return;
    if (visionUi.picking?.begins === false) actions.stopPicking();
    if (capture.view().state !== 'off') void actions.setCapture(false);
  };
  store.subscribe(follow);
  follow();
}
