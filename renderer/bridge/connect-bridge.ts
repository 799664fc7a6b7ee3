import { exposedKey } from '../../shared/ipc/exposed.ts';
import type { Exposed } from '../../shared/ipc/exposed.ts';
import type { Bridge } from './bridge.ts';
import { createElectronBridge } from './electron-bridge.ts';
import { hostAddress } from './host-address.ts';
import { createSocketBridge } from './socket-bridge.ts';

declare global {
  interface Window {
    readonly [exposedKey]?: Exposed;
  }
}

/** Takes the transport that is there: the preload's calls in the window, else the WebSocket. */
export function connectBridge(): Bridge {
  const exposed = window[exposedKey];
  return exposed === undefined
    ? createSocketBridge(hostAddress(window))
    : createElectronBridge(exposed);
}
