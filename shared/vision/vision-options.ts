import type { VisionSettings } from '../settings/talking-settings.ts';
import { maxFramesPerSecond, minFramesPerSecond } from './vision-frame.ts';

/** A part of a picture in fractions of its upright width and height, from 0 to 1. */
export interface FrameArea {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Where pictures come from. What has no `deviceId` or `id` is whatever the person picks then. */
export type FrameSource =
  /** The label finds a camera again whose id has changed. */
  | {
      readonly kind: 'camera';
      readonly deviceId?: string | undefined;
      readonly label?: string | undefined;
    }
  | { readonly kind: 'screen'; readonly id?: string | undefined }
  | { readonly kind: 'window'; readonly id?: string | undefined }
  /** A part of a screen. */
  | { readonly kind: 'region'; readonly id?: string | undefined; readonly area: FrameArea };

export interface VisionOptions {
  readonly source: FrameSource;
  /** The most slices the model may cut a frame into, 1 to 9: detail against tokens and bytes. */
  readonly slices: number;
  readonly rate: 'everyChunk' | { readonly framesPerSecond: number };
  /** Sends fewer frames while nothing moves. The documents recommend a frame with every chunk. */
  readonly skipStill: boolean;
  /** Only this part of the source (of the region, where it is one) is shown to the model. */
  readonly crop?: FrameArea | undefined;
  /**
   * How the preview looks to the person. The model always sees the picture as it is: a mirrored one
   * would have its writing backwards, and the documents know of no mirroring.
   */
  readonly mirror: boolean;
  readonly flip: boolean;
}

export const defaultVisionOptions: VisionOptions = {
  source: { kind: 'camera' },
  slices: 1,
  rate: 'everyChunk',
  skipStill: false,
  mirror: true,
  flip: false,
};

/** What the person has switched on; nothing, until they do. */
export type CapturePermission =
  | { readonly open: 'nothing' }
  | { readonly open: 'camera' }
  /** `id` is one of the shareables, where Parley itself offers them. */
  | { readonly open: 'screen'; readonly id?: string | undefined };

/** What is open in some page, as every page shows it. */
export type OpenCapture = CapturePermission['open'];

/** A screen or a window that can be shown to the model. */
export interface CaptureSource {
  readonly id: string;
  readonly kind: 'screen' | 'window';
  readonly name: string;
  /** A small JPEG, where thumbnails were asked for. */
  readonly thumbnail?: Uint8Array | undefined;
}

type StoredOptions = Pick<VisionOptions, 'slices' | 'rate' | 'skipStill' | 'mirror' | 'flip'>;

/** Two rates that differ by less are the same to anybody. */
const sameRate = 1e-3;

/** The stored settings as the frame pipeline takes them: a frame a chunk has a name of its own there. */
export function visionOptionsOf(vision: VisionSettings, chunkMs: number): StoredOptions {
  const { slices, rate, fewerWhenStill, mirror, flip } = vision;
  const perChunk = Math.abs((rate * chunkMs) / 1000 - 1) < sameRate;
  const framesPerSecond = clamp(rate, minFramesPerSecond, maxFramesPerSecond);
  const paced = perChunk ? 'everyChunk' : { framesPerSecond };
  return { slices, rate: paced, skipStill: fewerWhenStill, mirror, flip };
}

/** The way back, within what may be kept. */
export function visionSettingsOf(
  { slices, rate, skipStill, mirror, flip }: StoredOptions,
  chunkMs: number,
): Omit<VisionSettings, 'camera' | 'budget'> {
  const perSecond = rate === 'everyChunk' ? 1000 / chunkMs : rate.framesPerSecond;
  return { slices, rate: clamp(perSecond, 0.1, 5), fewerWhenStill: skipStill, mirror, flip };
}

export function isSameVision(one: StoredOptions, other: StoredOptions): boolean {
  return JSON.stringify(storedFields(one)) === JSON.stringify(storedFields(other));
}

function storedFields({
  slices,
  rate,
  skipStill,
  mirror,
  flip,
}: StoredOptions): readonly unknown[] {
  return [slices, rate, skipStill, mirror, flip];
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
