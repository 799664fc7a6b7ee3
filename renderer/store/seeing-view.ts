import { usualSeeing } from '../../shared/vision/seeing-settings.ts';
import type {
  FrameArea,
  SeeingSettings,
  SeeingSource,
} from '../../shared/vision/seeing-settings.ts';
import { seeingOf } from '../../shared/vision/kept-seeing.ts';
import type { Shareable } from '../../shared/vision/shareable.ts';
import type { ShownSettings } from '../../shared/settings/shown-settings.ts';
import type { CameraDevice } from '../camera/media.ts';

export type SharedKind = 'screen' | 'window' | 'region';

/** What is shown to the model, beside what is kept of it among the settings. */
export interface SeeingView {
  readonly source: SeeingSource;
  readonly crop: FrameArea | undefined;
  readonly cameras: readonly CameraDevice[];
  /** The person is choosing what to share; the list is not there yet. */
  readonly picking: Picking | undefined;
  /** The part to be shown is being chosen; of a `region` nothing is shown until it is. */
  readonly cropping: 'part' | 'region' | undefined;
}

export interface Picking {
  readonly wanted: SharedKind;
  readonly list: readonly Shareable[] | undefined;
  /** A talk begins with what is picked. */
  readonly begins: boolean;
}

export const firstSeeing: SeeingView = {
  source: usualSeeing.source,
  crop: undefined,
  cameras: [],
  picking: undefined,
  cropping: undefined,
};

interface Shown {
  readonly seeing: SeeingView;
  readonly settings: ShownSettings | undefined;
}

/** All that the eye has to know: what is kept, and what was chosen for now. */
export function seeingNow({ seeing, settings }: Shown): SeeingSettings {
  const { source, crop } = seeing;
  if (settings === undefined) return { ...usualSeeing, source, crop };
  const { vision, assistant } = settings;
  const named = source.kind === 'camera' && vision.camera !== '';
  return {
    ...seeingOf(vision, assistant.generation.chunkMs),
    source: named ? { kind: 'camera', label: vision.camera } : source,
    crop,
  };
}
