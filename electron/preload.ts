import { contextBridge, ipcRenderer, type IpcRendererEvent, webUtils } from 'electron';
import { type Bridge, channels, exposedKey, type PostedNotice } from '../shared/ipc/bridge.ts';
import type { Reply } from '../shared/ipc/reply.ts';

// The page asks by name, and main answers the names of the contract and no others. It never names a channel, so that it
// cannot reach anything else of the main process, and events of Electron never cross the bridge.
const bridge: Bridge = {
  request: (name, input) => ipcRenderer.invoke(channels.request, name, input),
  onNotice: (hear) => {
    ipcRenderer.on(channels.notice, (_event: IpcRendererEvent, batch: readonly PostedNotice[]) => {
      for (const { notice, revision, changes } of batch) hear(notice, revision, changes);
    });
  },
  // Only a file that the person dropped or picked has a path: one that a page has made has none.
  openDropped: (file) =>
    ipcRenderer.invoke(
      channels.dropped,
      file instanceof File ? webUtils.getPathForFile(file) : '',
    ) as Promise<Reply<undefined>>,
  // A window and its core live and end together.
  onConnection: (hear) => hear('connected'),
};

contextBridge.exposeInMainWorld(exposedKey, bridge);
