import type { GatewayMessage } from './gateway.ts';

export type SentOutput = Extract<GatewayMessage, { kind: 'output' }>;

export const isReady = (
  message: GatewayMessage,
): message is Extract<GatewayMessage, { kind: 'ready' }> => message.kind === 'ready';

export const isOutput = (message: GatewayMessage): message is SentOutput =>
  message.kind === 'output';
