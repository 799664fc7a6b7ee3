import { z } from 'zod';
import { historyKinds, type HistoryRef } from '../recordings/history-item.ts';
import { minFrameArea } from '../vision/vision-frame.ts';

// Schemas that the requests of several subjects share.

/** The bytes of a file, up to `maxBytes`. */
export function fileBytes(label: string, maxBytes: number): z.ZodType<Uint8Array> {
  return z.instanceof(Uint8Array).refine(({ length }) => length <= maxBytes, {
    message: `${label} has ${maxBytes / 1_000_000} MB at most`,
  });
}

/** The core's id of a chat, a turn, a medium, a call or an action. */
export const partId = z.string().min(1).max(64);

/** The stored talk or chat that a passage is from. */
export const passagePlace: z.ZodType<HistoryRef> = z.strictObject({
  kind: z.enum(historyKinds),
  id: partId,
});

/** The conversations whose passages are not sent with a message. */
export const passagePlaces: z.ZodType<readonly HistoryRef[]> = z.array(passagePlace).max(10);

/** The sum of two fractions may be above 1 by an error of rounding. */
const maxSum = 1 + 1e-9;

/** A part of a picture, in fractions. */
export const frameArea = z
  .strictObject({
    left: z.number().min(0).max(1),
    top: z.number().min(0).max(1),
    width: z.number().min(minFrameArea).max(1),
    height: z.number().min(minFrameArea).max(1),
  })
  .refine(({ left, top, width, height }) => left + width <= maxSum && top + height <= maxSum, {
    message: 'the area must lie within the picture',
  });
