import { z } from 'zod';
import type { PostedNotice } from './bridge.ts';
import type { Reply } from './reply.ts';

/** A request on the loopback WebSocket; `input` stays unknown until the request's own check. */
export const requestMessage = z.strictObject({
  id: z.number().int().nonnegative(),
  request: z.string().max(64),
  input: z.unknown().optional(),
});

/** What the browser host sends back: an answer to one request, or a notice. */
export type HostMessage =
  | { readonly id: number; readonly reply: Reply<unknown> }
  | PostedNotice
  /** Several at once, in their order. */
  | { readonly notices: readonly PostedNotice[] };
