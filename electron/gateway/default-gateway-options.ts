import { contextTokens, sessionSeconds } from '../../shared/protocol/protocol-limits.ts';
import type { GatewayOptions } from './gateway.ts';

/** A gateway as one meets it today, quick enough to be talked with. */
export const defaultGatewayOptions: GatewayOptions = {
  dialect: 'unified',
  profile: 'deployed',
  workers: 4,
  queueLimit: 100,
  sessionSeconds,
  contextTokens,
  stepMs: 200,
  faults: [],
};
