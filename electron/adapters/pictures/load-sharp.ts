import { failure } from '../../../shared/errors/app-error.ts';
import { createRequire } from 'node:module';
import type { Sharp, SharpOptions } from 'sharp';
import { describeError } from '../../../shared/describe-error.ts';
import type { Outcome } from '../../ports/outcome.ts';
import { requireSharp } from './require-sharp.ts';

/** Opens the bytes of a picture with sharp. */
export type OpenPicture = (file: Uint8Array, options: SharpOptions) => Sharp;

/** Loads sharp when the first picture comes, and says why where it cannot. */
export function loadSharp(): Outcome<OpenPicture> {
  try {
    // `require`, because sharp is built around a native addon and must not be bundled.
    return { ok: true, value: requireSharp(createRequire(import.meta.url)) as OpenPicture };
  } catch (error) {
    const reason = describeError(error);
    return failure('noPictures', { error: reason });
  }
}
