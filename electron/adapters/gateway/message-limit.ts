import type { WebSocket } from 'ws';

/**
 * Lets a connection's messages be of this size from now on. The `ws` package takes one limit for all connections and for
 * good; it keeps it in two places, before and after inflation, that are no part of its interface. Should they
 * move, the limit stays what the server began with, and a test says so.
 */
export function limitMessages(socket: WebSocket, bytes: number): void {
  const receiver: unknown = Reflect.get(socket, '_receiver');
  const extensions: unknown = Reflect.get(socket, '_extensions');
  const deflate: unknown = isObject(extensions) ? extensions['permessage-deflate'] : undefined;
  for (const holder of [receiver, deflate])
    if (isObject(holder) && '_maxPayload' in holder) holder['_maxPayload'] = bytes;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
