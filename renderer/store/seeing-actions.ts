import type { VisionSettings } from '../../shared/settings/groups.ts';
import type { FrameArea, SeeingSource } from '../../shared/vision/seeing-settings.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { Eye } from '../camera/eye.ts';
import { seeingNow } from './seeing-view.ts';
import type { SeeingView, SharedKind } from './seeing-view.ts';
import { toldBy } from './told-by.ts';
import type { Store } from './store.ts';
import type { View } from './view.ts';

/** Of the eye, what a person can do with it. */
export type EyeDoings = Pick<Eye, 'open' | 'change' | 'close' | 'setPaused' | 'cameras'>;

interface Needs {
  readonly store: Store<View>;
  readonly bridge: Bridge;
  readonly eye: EyeDoings & Pick<Eye, 'view'>;
  readonly ask: (...asked: Parameters<Bridge['request']>) => Promise<void>;
  readonly begin: () => Promise<void>;
}

/** What a person can do with what the model sees. */
export function createSeeingActions({ store, bridge, eye, ask, begin }: Needs) {
  const { view, change } = store;
  const changeSeeing = (part: Partial<SeeingView>): void => {
    change({ seeing: { ...view().seeing, ...part } });
  };
  const changeVision = (vision: Partial<VisionSettings>): Promise<void> =>
    ask('changeSettings', { vision });

  /** Counts how often something was to be picked: a list that comes later belongs to nobody. */
  let picks = 0;

  const open = async (paused = false): Promise<void> => {
    change({ frozen: false });
    eye.setPaused(paused);
    await eye.open(seeingNow(view()));
  };
  const show = async (source: SeeingSource): Promise<void> => {
    changeSeeing({ source, crop: undefined, picking: undefined, cropping: undefined });
    await open();
  };
  const close = async (): Promise<void> => {
    change({ frozen: false });
    eye.setPaused(false);
    changeSeeing({ cropping: undefined });
    await eye.close();
  };

  const share = async (wanted: SharedKind, id: string | undefined, begins: boolean) => {
    const region = wanted === 'region';
    const kind = wanted === 'window' ? 'window' : 'screen';
    changeSeeing({
      source: { kind, id },
      crop: undefined,
      picking: undefined,
      cropping: undefined,
    });
    await open(region);
    if (eye.view().state !== 'open') return;
    if (region) changeSeeing({ cropping: 'region' });
    if (begins) await begin();
  };

  return {
    /** Whatever was shown before. */
    startWithCamera: async () => {
      const camera = view().seeing.source.kind === 'camera';
      if (!camera || view().eye.state === 'off') await show({ kind: 'camera' });
      await begin();
    },
    setEye: (on: boolean) => (on ? open() : close()),
    setFrozen: (frozen: boolean) => {
      change({ frozen });
      eye.setPaused(frozen);
    },
    /** The name is kept, so that the same one is opened the next time. */
    showCamera: async (camera: string) => {
      await changeVision({ camera });
      await show({ kind: 'camera' });
    },
    lookForCameras: async () => {
      const cameras = await eye.cameras();
      changeSeeing({ cameras });
    },
    /** Where Parley has no list of its own, the browser asks what to share. */
    pick: async (wanted: SharedKind, begins = false) => {
      picks += 1;
      const pick = picks;
      if (view().about?.host === 'desktop') {
        changeSeeing({ picking: { wanted, list: undefined, begins } });
      }
      const reply = await bridge.request('shareables', { thumbnails: true });
      if (pick !== picks) return;
      if (!reply.ok) {
        changeSeeing({ picking: undefined });
        change({ problem: toldBy(reply.error) });
      } else if (reply.value.offered) {
        const kind = wanted === 'window' ? 'window' : 'screen';
        const list = reply.value.list.filter((one) => one.kind === kind);
        changeSeeing({ picking: { wanted, list, begins } });
      } else await share(wanted, undefined, begins);
    },
    share: async (id: string) => {
      const { picking } = view().seeing;
      if (picking !== undefined) await share(picking.wanted, id, picking.begins);
    },
    stopPicking: () => {
      picks += 1;
      changeSeeing({ picking: undefined });
    },
    beginCropping: () => {
      changeSeeing({ cropping: 'part' });
    },
    setCrop: async (crop: FrameArea | undefined) => {
      changeSeeing({ crop, cropping: undefined });
      await eye.change(seeingNow(view()));
      eye.setPaused(view().frozen);
    },
    /** Of a region that was never chosen nothing is shown. */
    stopCropping: async () => {
      if (view().seeing.cropping === 'region') await close();
      else changeSeeing({ cropping: undefined });
    },
    changeVision,
  };
}
