import type { RedactedSettings } from '../../shared/settings/settings.ts';
import { isTalkOver, type TalkState, type TalkInfo } from '../../shared/talk/talk-view.ts';
import {
  type CaptureSource,
  defaultVisionOptions,
  type FrameArea,
  type FrameSource,
  type VisionOptions,
  toVisionOptions,
} from '../../shared/vision/vision-options.ts';
import type { CameraDevice } from './video-devices.ts';

export type ShareKind = 'screen' | 'window' | 'region';

/** State of this page's capture. The stored options are in the settings. */
export interface VisionUiState {
  readonly source: FrameSource;
  readonly crop: FrameArea | undefined;
  readonly cameras: readonly CameraDevice[];
  readonly picking: SharePicking | undefined;
  /** Set while the user draws the area. Until a `region` is drawn, nothing is sent. */
  readonly cropping: 'part' | 'region' | undefined;
  /** Whether the source was opened for a talk that was requested but has not begun. */
  readonly awaitsTalk: boolean;
}

export interface SharePicking {
  readonly kind: ShareKind;
  readonly list: readonly CaptureSource[] | undefined;
  /** Whether a talk starts with the chosen source. */
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

/** Whether the current talk takes frames; false from the click that ends it. */
export function takesFrames({ facts, talkState }: ShownTalk): boolean {
  const { phase } = talkState.value;
  return facts?.mode === 'video' && phase !== 'ending' && !isTalkOver(phase);
}

export function mayCapture(view: ShownTalk & Pick<VisionSource, 'visionUi'>): boolean {
  return takesFrames(view) || view.visionUi.awaitsTalk;
}

export function currentVisionSettings({ visionUi, settings }: VisionSource): VisionOptions {
  const { source, crop } = visionUi;
  if (settings === undefined) return { ...defaultVisionOptions, source, crop };
  const { vision, assistant } = settings;
  const hasChosenCamera = source.kind === 'camera' && vision.camera !== '';
  return {
    ...toVisionOptions(vision, assistant.generation.chunkMs),
    source: hasChosenCamera ? { kind: 'camera', label: vision.camera } : source,
    crop,
  };
}
