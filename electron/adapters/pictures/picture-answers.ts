import { z } from 'zod';
import { failure, isAppError } from '../../../shared/errors/app-error.ts';
import type { ErrorCode } from '../../../shared/errors/error-codes.ts';
import { maxFrameBytes, maxFramePixels } from '../../../shared/vision/vision-limits.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { PictureAnswer } from '../../ports/picture-process.ts';

// A decoder that a hostile picture has taken over says what it likes: nothing of it is believed.

const size = z.int().min(1).max(maxFramePixels);

const answer: z.ZodType<PictureAnswer> = z.discriminatedUnion('tell', [
  z.object({ tell: z.literal('ready') }),
  z.object({ tell: z.literal('upright'), width: size, height: size }),
  z.object({ tell: z.literal('outcome'), outcome: z.unknown() }),
]);

/** Undefined for what is no answer. */
export function readPictureAnswer(message: unknown): PictureAnswer | undefined {
  return answer.safeParse(message).data;
}

const jpeg = z
  .instanceof(Uint8Array)
  .refine(({ length }) => length <= maxFrameBytes)
  .refine(([first, second, third]) => first === 0xff && second === 0xd8 && third === 0xff);

/** What each kind of work has to come to. */
export const pictureValues = {
  part: z.discriminatedUnion('state', [
    z.object({ state: z.literal('loads'), detail: z.string().max(200) }),
    z.object({ state: z.literal('fails'), reason: z.string().max(2000) }),
  ]),
  probe: z.object({
    width: size,
    height: size,
    colours: z.array(z.string().regex(/^[a-z]{1,12}$/)).max(3),
  }),
  prepare: jpeg,
  frame: z.object({
    jpeg,
    width: size,
    height: size,
    signature: z.instanceof(Uint8Array).refine(({ length }) => length === 256),
  }),
} as const;

/** Why a picture cannot be read; of other errors it has nothing to tell. */
const toldErrors: ReadonlySet<ErrorCode> = new Set([
  'pictureBroken',
  'pictureLarge',
  'noPictures',
  'frameBroken',
  'frameLarge',
]);

/** The outcome, or nothing where it is none. */
export function readPictureOutcome<Value>(
  outcome: unknown,
  value: z.ZodType<Value>,
): Outcome<Value> | undefined {
  if (typeof outcome !== 'object' || outcome === null) return undefined;
  const error: unknown = Reflect.get(outcome, 'error');
  if (isAppError(error)) {
    return toldErrors.has(error.code) ? { ok: false, error } : failure('pictureBroken');
  }
  const read = value.safeParse(Reflect.get(outcome, 'value'));
  return read.success ? { ok: true, value: read.data } : undefined;
}
