import { exposedKey } from '../../shared/ipc/bridge.ts';
import type { Bridge } from '../../shared/ipc/bridge.ts';
import { hostAddress } from './host-address.ts';
import { createSocketBridge } from './socket-bridge.ts';

declare global {
  interface Window {
    readonly [exposedKey]?: Bridge;
  }
}

/** Takes the transport that is there: the preload's in the window, else the WebSocket. */
export function connectBridge(): Bridge {
  return window[exposedKey] ?? createSocketBridge(hostAddress(window));
}
