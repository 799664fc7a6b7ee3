import type { RedactedSettings } from '../../shared/settings/redacted-settings.ts';
import { isTalkOver, type TalkState } from '../../shared/talk/talk-state.ts';
import type { TalkInfo } from '../../shared/talk/talk-view.ts';
import {
  type CaptureSource,
  defaultVisionOptions,
  type FrameArea,
  type FrameSource,
  type VisionOptions,
  visionOptionsOf,
} from '../../shared/vision/vision-options.ts';
import type { CameraDevice } from './video-devices.ts';

export type ShareKind = 'screen' | 'window' | 'region';

/** What is shown to the model, beside what is stored of it among the settings. */
export interface VisionUiState {
  readonly source: FrameSource;
  readonly crop: FrameArea | undefined;
  readonly cameras: readonly CameraDevice[];
  /** The person is choosing what to share; the list is not there yet. */
  readonly picking: SharePicking | undefined;
  /** The part to be shown is being chosen; of a `region` nothing is shown until it is. */
  readonly cropping: 'part' | 'region' | undefined;
  /** It is opened for a talk that is asked for and has not begun yet. */
  readonly awaitsTalk: boolean;
}

export interface SharePicking {
  readonly wanted: ShareKind;
  readonly list: readonly CaptureSource[] | undefined;
  /** A talk begins with what is picked. */
  readonly begins: boolean;
}

export const initialVisionUiState: VisionUiState = {
  source: defaultVisionOptions.source,
  crop: undefined,
  cameras: [],
  picking: undefined,
  cropping: undefined,
  awaitsTalk: false,
};

interface VisionSource {
  readonly visionUi: VisionUiState;
  readonly settings: RedactedSettings | undefined;
}

interface ShownTalk {
  readonly facts: TalkInfo | undefined;
  readonly talkState: { readonly value: TalkState };
}

/** Whether there is a talk that frames go to; from the click that ends it on there is none. */
export function takesFrames({ facts, talkState }: ShownTalk): boolean {
  const { phase } = talkState.value;
  return facts?.mode === 'video' && phase !== 'ending' && !isTalkOver(phase);
}

/** Whether a camera or a screen may be open at all. */
export function mayCapture(view: ShownTalk & Pick<VisionSource, 'visionUi'>): boolean {
  return takesFrames(view) || view.visionUi.awaitsTalk;
}

/** All that the capture has to know: what is stored, and what was chosen for now. */
export function currentVisionSettings({ visionUi, settings }: VisionSource): VisionOptions {
  const { source, crop } = visionUi;
  if (settings === undefined) return { ...defaultVisionOptions, source, crop };
  const { vision, assistant } = settings;
  const named = source.kind === 'camera' && vision.camera !== '';
  return {
    ...visionOptionsOf(vision, assistant.generation.chunkMs),
    source: named ? { kind: 'camera', label: vision.camera } : source,
    crop,
  };
}
