import { z } from 'zod';

/** A file by its bytes, with a size that whoever takes it can bear. */
export function bytesCheck(what: string, maxBytes: number): z.ZodType<Uint8Array> {
  return z.instanceof(Uint8Array).refine(({ length }) => length <= maxBytes, {
    message: `${what} has ${maxBytes / 1_000_000} MB at most`,
  });
}
