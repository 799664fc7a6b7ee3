import { contextBridge, ipcRenderer } from 'electron';
import { requestNames } from '../shared/ipc/contract.ts';
import type { Notice } from '../shared/ipc/contract.ts';
import { channels, exposedKey } from '../shared/ipc/exposed.ts';
import type { Exposed } from '../shared/ipc/exposed.ts';

// The page gets one function per request of the contract. It never sees a channel name, so that it
// cannot reach anything else of the main process, and events of Electron never cross the bridge.
const requests = Object.fromEntries(
  requestNames.map((name) => [
    name,
    (input: unknown): Promise<unknown> => ipcRenderer.invoke(channels.request, name, input),
  ]),
);

const onNotice: Exposed['onNotice'] = (hear) => {
  ipcRenderer.on(channels.notice, (_event, notice: Notice, revision: number) => {
    hear(notice, revision);
  });
};

contextBridge.exposeInMainWorld(exposedKey, { requests, onNotice });
