import { z } from 'zod';
import { maxSlicesPerFrame } from '../protocol/protocol-limits.ts';
import {
  minFramesPerSecond,
  maxFrameBytes,
  maxFramesPerSecond,
  minFrameArea,
  signatureSide,
} from '../vision/vision-limits.ts';

/** Ids and names of devices come from the system; none is as long as this. */
const name = z.string().max(512);

/** Arithmetic of fractions is not exact. */
const whole = 1 + 1e-9;

const area = z
  .strictObject({
    left: z.number().min(0).max(1),
    top: z.number().min(0).max(1),
    width: z.number().min(minFrameArea).max(1),
    height: z.number().min(minFrameArea).max(1),
  })
  .refine(({ left, top, width, height }) => left + width <= whole && top + height <= whole, {
    message: 'the area must lie within the picture',
  });

const source = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('camera'),
    deviceId: name.optional(),
    label: name.optional(),
  }),
  z.strictObject({ kind: z.literal('screen'), id: name.optional() }),
  z.strictObject({ kind: z.literal('window'), id: name.optional() }),
  z.strictObject({ kind: z.literal('region'), id: name.optional(), area }),
]);

const rate = z.union([
  z.literal('everyChunk'),
  z.strictObject({
    framesPerSecond: z.number().min(minFramesPerSecond).max(maxFramesPerSecond),
  }),
]);

export const visionChecks = {
  setCapturePermission: z.discriminatedUnion('open', [
    z.strictObject({ open: z.literal('nothing') }),
    z.strictObject({ open: z.literal('camera') }),
    z.strictObject({ open: z.literal('screen'), id: name.optional() }),
  ]),
  setVisionOptions: z.strictObject({
    source,
    slices: z.number().int().min(1).max(maxSlicesPerFrame),
    rate,
    skipStill: z.boolean(),
    crop: area.optional(),
    mirror: z.boolean(),
    flip: z.boolean(),
  }),
  pushFrame: z.strictObject({
    jpeg: z.instanceof(Uint8Array).refine(({ length }) => length <= maxFrameBytes, {
      message: `a frame has ${maxFrameBytes} bytes at most`,
    }),
    signature: z
      .instanceof(Uint8Array)
      .refine(({ length }) => length === signatureSide ** 2, {
        message: `a signature has ${signatureSide ** 2} bytes`,
      })
      .optional(),
  }),
  shareables: z.strictObject({ thumbnails: z.boolean() }),
} as const;
