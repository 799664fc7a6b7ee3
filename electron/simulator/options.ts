import { contextTokens, sessionSeconds } from '../../shared/protocol/limits.ts';
import type { GatewayOptions } from './gateway.ts';

/** A gateway as one meets it today, quick enough to be talked with. */
export const defaultGatewayOptions: GatewayOptions = {
  dialect: 'unified',
  manners: 'deployed',
  workers: 4,
  queueLimit: 100,
  sessionSeconds,
  contextTokens,
  stepMs: 200,
  faults: [],
};
