import { z } from 'zod';

/** A file by its bytes, with a size that whoever takes it can bear. */
export function bytes(what: string, most: number): z.ZodType<Uint8Array> {
  return z.instanceof(Uint8Array).refine(({ length }) => length <= most, {
    message: `${what} has ${most / 1_000_000} MB at most`,
  });
}
