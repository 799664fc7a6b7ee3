import type { WireBatch } from '../wire/wire-frame.ts';
import type { Nothing } from './nothing.ts';

/** The inspector's: nothing is looked at while no page watches. */
export interface WireRequests {
  readonly watchWire: { readonly input: { readonly on: boolean }; readonly value: Nothing };
}

export interface WireNotices {
  /** At most ten times a second. */
  readonly wire: WireBatch;
}
