import { contextBridge, ipcRenderer, type IpcRendererEvent, webUtils } from 'electron';
import {
  channels,
  exposedKey,
  type Bridge,
  type PostedNotice,
  type Reply,
} from '../shared/ipc/bridge.ts';

// The page sends the name of a request, and the main process answers only names that `shared/ipc` declares. The page
// cannot choose a channel, and never gets Electron's events.
const bridge: Bridge = {
  request: (name, input) => ipcRenderer.invoke(channels.request, name, input),
  onNotice: (listener) => {
    ipcRenderer.on(channels.notice, (_event: IpcRendererEvent, batch: readonly PostedNotice[]) => {
      for (const { notice, revision, changes } of batch) listener(notice, revision, changes);
    });
  },
  // Only a file that the user dropped or picked has a path. A file that the page created has none.
  openDropped: (file) =>
    ipcRenderer.invoke(
      channels.dropped,
      file instanceof File ? webUtils.getPathForFile(file) : '',
    ) as Promise<Reply<undefined>>,
  // A window never loses its connection to the core.
  onConnection: (listener) => listener('connected'),
};

contextBridge.exposeInMainWorld(exposedKey, bridge);
