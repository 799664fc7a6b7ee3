import { z } from 'zod';
import { maxSlicesPerFrame } from '../protocol/realtime-api.ts';
import {
  type FrameCount,
  type FrameOutcome,
  maxFrameBytes,
  maxFramesPerSecond,
  minFramesPerSecond,
  type OfferedFrame,
  signatureSide,
  type VisionFrame,
} from '../vision/vision-frame.ts';
import type { CapturePermission, CaptureSource, VisionOptions } from '../vision/vision-options.ts';
import { type HandlersOf, request } from './request-definition.ts';
import { frameArea } from './request-schemas.ts';

/** Longer than any device id or name of a system. */
const name = z.string().max(512);

const source = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('camera'),
    deviceId: name.optional(),
    label: name.optional(),
  }),
  z.strictObject({ kind: z.literal('screen'), id: name.optional() }),
  z.strictObject({ kind: z.literal('window'), id: name.optional() }),
  z.strictObject({ kind: z.literal('region'), id: name.optional(), area: frameArea }),
]);

const rate = z.union([
  z.literal('everyChunk'),
  z.strictObject({
    framesPerSecond: z.number().min(minFramesPerSecond).max(maxFramesPerSecond),
  }),
]);

const permission: z.ZodType<CapturePermission> = z.discriminatedUnion('open', [
  z.strictObject({ open: z.literal('nothing') }),
  z.strictObject({ open: z.literal('camera') }),
  z.strictObject({ open: z.literal('screen'), id: name.optional() }),
]);

const options: z.ZodType<VisionOptions> = z.strictObject({
  source,
  slices: z.number().int().min(1).max(maxSlicesPerFrame),
  rate,
  skipStill: z.boolean(),
  crop: frameArea.optional(),
  mirror: z.boolean(),
  flip: z.boolean(),
});

const frame: z.ZodType<OfferedFrame> = z.strictObject({
  jpeg: z.instanceof(Uint8Array).refine(({ length }) => length <= maxFrameBytes, {
    message: `a frame has ${maxFrameBytes} bytes at most`,
  }),
  signature: z
    .instanceof(Uint8Array)
    .refine(({ length }) => length === signatureSide ** 2, {
      message: `a signature has ${signatureSide ** 2} bytes`,
    })
    .optional(),
});

/** Requests about frames for the model. */
export const visionRequests = {
  /** Tells the core what the user has turned on. Until then, no camera opens and the core accepts no frame. */
  setCapturePermission: request(permission).answers<CapturePermission>(),
  /** Takes effect at once, also during a talk. */
  setVisionOptions: request(options).answers<VisionOptions>(),
  /** Passes a captured frame to the core. The reply says what was done with it. */
  pushFrame: request(frame).answers<FrameOutcome>(),
  /** Screens and windows to choose from. `offered` is false if the system shows its own picker. */
  shareables: request(z.strictObject({ thumbnails: z.boolean() })).answers<{
    readonly offered: boolean;
    readonly list: readonly CaptureSource[];
  }>(),
};

export type VisionHandlers = HandlersOf<typeof visionRequests>;

export interface VisionNotices {
  /** The frame that was sent to the model. */
  readonly frameSent: VisionFrame;
  readonly frameCounted: FrameCount;
}
