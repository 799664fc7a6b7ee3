import type { Exposed } from '../../shared/ipc/exposed.ts';
import type { Bridge } from './bridge.ts';

/** The bridge over Electron's ipc, through the calls that the preload exposes. */
export function createElectronBridge(exposed: Exposed): Bridge {
  return {
    request: (name, input) => exposed.requests[name](input),
    onNotice: exposed.onNotice,
    onConnection: (hear) => {
      hear('connected');
    },
  };
}
