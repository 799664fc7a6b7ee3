import { z } from 'zod';
import { mostSlices } from '../protocol/limits.ts';
import {
  fewestFramesPerSecond,
  mostFrameBytes,
  mostFramesPerSecond,
  smallestArea,
} from '../vision/seeing-limits.ts';

/** Ids and names of devices come from the system; none is as long as this. */
const name = z.string().max(512);

/** Arithmetic of fractions is not exact. */
const whole = 1 + 1e-9;

const area = z
  .strictObject({
    left: z.number().min(0).max(1),
    top: z.number().min(0).max(1),
    width: z.number().min(smallestArea).max(1),
    height: z.number().min(smallestArea).max(1),
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
    framesPerSecond: z.number().min(fewestFramesPerSecond).max(mostFramesPerSecond),
  }),
]);

export const seeingChecks = {
  allowSeeing: z.discriminatedUnion('open', [
    z.strictObject({ open: z.literal('nothing') }),
    z.strictObject({ open: z.literal('camera') }),
    z.strictObject({ open: z.literal('screen'), id: name.optional() }),
  ]),
  setSeeing: z.strictObject({
    source,
    slices: z.number().int().min(1).max(mostSlices),
    rate,
    skipStill: z.boolean(),
    crop: area.optional(),
    mirror: z.boolean(),
    flip: z.boolean(),
  }),
  seeFrame: z.strictObject({
    jpeg: z.instanceof(Uint8Array).refine(({ length }) => length <= mostFrameBytes, {
      message: `a frame has ${mostFrameBytes} bytes at most`,
    }),
  }),
  shareables: z.strictObject({ thumbnails: z.boolean() }),
} as const;
