import type { VisionSettings } from '../settings/app-settings.ts';
import { maxFramesPerSecond, minFramesPerSecond } from './vision-frame.ts';

/** An area as fractions of the picture's upright width and height, from 0 to 1. */
export interface FrameArea {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Source of pictures. Without `id` the user picks a screen or window. Without `deviceId` and `label` the browser picks a
 * camera.
 */
export type FrameSource =
  /** The label finds a camera whose id has changed. */
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
  /** Maximum slices per frame, 1 to 9: detail against tokens and bytes. */
  readonly slices: number;
  readonly rate: 'everyChunk' | { readonly framesPerSecond: number };
  /** Sends fewer frames while nothing moves. The API documents recommend a frame with every chunk. */
  readonly skipStill: boolean;
  /** Part of the source, or of the region, that the model sees. */
  readonly crop?: FrameArea | undefined;
  /** Mirrors the preview. The model always sees the original, because mirrored writing is illegible. */
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

/** Capture that the user has allowed. */
export type CapturePermission =
  | { readonly open: 'nothing' }
  | { readonly open: 'camera' }
  /** `id` is from the list of screens and windows, if Parley lists them. */
  | { readonly open: 'screen'; readonly id?: string | undefined };

/** Capture of any page, as all pages show it. */
export type OpenCapture = CapturePermission['open'];

/** A screen or window that can be shared with the model. */
export interface CaptureSource {
  readonly id: string;
  readonly kind: 'screen' | 'window';
  readonly name: string;
  /** A small JPEG, if thumbnails were requested. */
  readonly thumbnail?: Uint8Array | undefined;
}

type StoredOptions = Pick<VisionOptions, 'slices' | 'rate' | 'skipStill' | 'mirror' | 'flip'>;

/** Rates that differ by less count as equal. */
const rateTolerance = 1e-3;

/** Converts stored settings to options; one frame per chunk becomes `everyChunk`. */
export function toVisionOptions(vision: VisionSettings, chunkMs: number): StoredOptions {
  const { slices, rate, fewerWhenStill, mirror, flip } = vision;
  const perChunk = Math.abs((rate * chunkMs) / 1000 - 1) < rateTolerance;
  const framesPerSecond = clamp(rate, minFramesPerSecond, maxFramesPerSecond);
  const chosenRate = perChunk ? 'everyChunk' : { framesPerSecond };
  return { slices, rate: chosenRate, skipStill: fewerWhenStill, mirror, flip };
}

/** Converts options to settings, within the limits of the settings file. */
export function toVisionSettings(
  { slices, rate, skipStill, mirror, flip }: StoredOptions,
  chunkMs: number,
): Omit<VisionSettings, 'camera' | 'budget'> {
  const perSecond = rate === 'everyChunk' ? 1000 / chunkMs : rate.framesPerSecond;
  return {
    slices,
    rate: clamp(perSecond, 0.1, maxFramesPerSecond),
    fewerWhenStill: skipStill,
    mirror,
    flip,
  };
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
