const { contextBridge, ipcRenderer } = require('electron');

contextBridge.exposeInMainWorld('parley', {
  request: (name, input) => ipcRenderer.invoke('echo', name, input),
});
