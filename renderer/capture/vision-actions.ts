import type { VisionSettings } from '../../shared/settings/app-settings.ts';
import type { FrameArea, FrameSource } from '../../shared/vision/vision-options.ts';
import type { Ask, Bridge } from '../app/bridge/ordered-bridge.ts';
import type { Store } from '../app/store.ts';
import type { UiState } from '../app/ui-state.ts';
import type { PageCapture } from './capture-controller.ts';
import {
  currentVisionSettings,
  mayCapture,
  type ShareKind,
  takesFrames,
  type VisionUiState,
} from './vision-ui-state.ts';

interface VisionActionDeps {
  readonly store: Store<UiState>;
  readonly bridge: Bridge;
  readonly capture: PageCapture;
  readonly ask: Ask;
  readonly begin: () => Promise<void>;
}

export function createVisionActions({ store, bridge, capture, ask, begin }: VisionActionDeps) {
  const { getState, setState } = store;
  const changeVisionUi = (part: Partial<VisionUiState>): void =>
    setState({ visionUi: { ...getState().visionUi, ...part } });
  const changeVision = (vision: Partial<VisionSettings>) => ask('changeSettings', { vision });

  /** Counts requests for the list of screens, so that a late list is ignored. */
  let picks = 0;

  const open = async (paused = false): Promise<void> => {
    if (!mayCapture(getState())) return;
    setState({ frozen: false });
    capture.setFrozen(false);
    capture.setPaused(paused);
    await capture.open(currentVisionSettings(getState()));
  };
  const show = async (source: FrameSource): Promise<void> => {
    changeVisionUi({ source, crop: undefined, picking: undefined, cropping: undefined });
    await open();
  };
  const close = async (): Promise<void> => {
    // Started first: releasing the camera must not wait for anything.
    const closing = capture.close();
    setState({ frozen: false });
    capture.setFrozen(false);
    capture.setPaused(false);
    changeVisionUi({ cropping: undefined });
    await closing;
  };

  const share = async (shareKind: ShareKind, id: string | undefined, begins: boolean) => {
    const isRegion = shareKind === 'region';
    const kind = shareKind === 'window' ? 'window' : 'screen';
    changeVisionUi({
      source: { kind, id },
      crop: undefined,
      picking: undefined,
      cropping: undefined,
      ...(begins ? { awaitsTalk: true } : {}),
    });
    await open(isRegion);
    if (capture.view().state !== 'open') {
      if (begins) changeVisionUi({ awaitsTalk: false });
      return;
    }
    if (isRegion) changeVisionUi({ cropping: 'region' });
    if (begins) await begin();
  };

  return {
    startWithCamera: async () => {
      changeVisionUi({ awaitsTalk: true });
      const isCamera = getState().visionUi.source.kind === 'camera';
      if (!isCamera || getState().capture.state === 'off') await show({ kind: 'camera' });
      await begin();
    },
    setCapture: (on: boolean) => (on ? open() : close()),
    /** For a talk that is starting or continuing: reopens the last source unless one is open. */
    openForTalk: async () => {
      changeVisionUi({ awaitsTalk: true });
      if (getState().capture.state === 'off') await open();
    },
    closeForTalk: () => changeVisionUi({ awaitsTalk: false }),
    setFrozen: (frozen: boolean) => {
      setState({ frozen });
      capture.setFrozen(frozen);
    },
    /** The camera's name is stored, so that the same camera opens next time. */
    showCamera: async (camera: string) => {
      await changeVision({ camera });
      await show({ kind: 'camera' });
    },
    refreshCameras: async () => {
      const cameras = await capture.cameras();
      changeVisionUi({ cameras });
    },
    /** Without a list from the core, the browser shows its own picker. */
    pick: async (shareKind: ShareKind, begins = false) => {
      picks += 1;
      const pick = picks;
      if (getState().about?.host === 'desktop')
        changeVisionUi({ picking: { kind: shareKind, list: undefined, begins } });
      const reply = await bridge.request('shareables', { thumbnails: true });
      if (pick !== picks) return;
      if (!reply.ok) {
        changeVisionUi({ picking: undefined });
        setState({ problem: reply.error });
      } else if (reply.value.offered) {
        const kind = shareKind === 'window' ? 'window' : 'screen';
        const list = reply.value.list.filter((source) => source.kind === kind);
        changeVisionUi({ picking: { kind: shareKind, list, begins } });
      } else await share(shareKind, undefined, begins);
    },
    share: async (id: string) => {
      const { picking } = getState().visionUi;
      if (picking !== undefined) await share(picking.kind, id, picking.begins);
    },
    stopPicking: () => {
      picks += 1;
      changeVisionUi({ picking: undefined });
    },
    beginCropping: () => changeVisionUi({ cropping: 'part' }),
    setCrop: async (crop: FrameArea | undefined) => {
      changeVisionUi({ crop, cropping: undefined });
      await capture.change(currentVisionSettings(getState()));
      capture.setPaused(false);
    },
    /** Cancelling the choice of a region closes the capture, because nothing was chosen to show. */
    stopCropping: async () => {
      if (getState().visionUi.cropping === 'region') await close();
      else changeVisionUi({ cropping: undefined });
    },
    changeVision,
  };
}

type VisionActions = ReturnType<typeof createVisionActions>;

interface CaptureWithinTalkDeps {
  readonly store: Store<UiState>;
  readonly capture: PageCapture;
  readonly actions: Pick<VisionActions, 'setCapture' | 'stopPicking'>;
}

/** Closes the camera or screen as soon as the page learns that no talk takes pictures. */
export function closeCaptureWithTalk({ store, capture, actions }: CaptureWithinTalkDeps): void {
  const follow = (): void => {
    const { visionUi } = store.getState();
    const isTaking = takesFrames(store.getState());
    capture.setActive(isTaking);
    if (isTaking && visionUi.awaitsTalk) {
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
