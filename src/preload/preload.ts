/** The sandboxed bridge between window and main process. All that a page can reach of the app is `window.tillbridge`. */
import { contextBridge, ipcRenderer } from 'electron';
import type { PreloadApi, FileRequest } from '../contract/console/index.ts';

// Types alone come from the contract: a sandboxed preload is one file and must stay small. The main process and the
// window check what passes. The channels' names are also in src/main/channels.ts; a test compares them.
const api: PreloadApi = {
  invoke: (name: string, request: unknown) => ipcRenderer.invoke('tillbridge:invoke', name, request),
  save: (request: FileRequest) => ipcRenderer.invoke('tillbridge:save', request),
  show: (place: string) => ipcRenderer.invoke('tillbridge:show', place),
  tryNotification: () => ipcRenderer.invoke('tillbridge:try_notification'),
  quit: () => ipcRenderer.invoke('tillbridge:quit'),
  onChange(listener: (change: unknown) => void) {
    // The event itself stays here: it could send on any channel.
    const pass = (_event: unknown, change: unknown) => listener(change);
    ipcRenderer.on('tillbridge:change', pass);
    return () => void ipcRenderer.off('tillbridge:change', pass);
  },
  onGoTo: (listener: (place: unknown) => void) =>
    void ipcRenderer.on('tillbridge:go_to', (_event: unknown, place: unknown) => listener(place)),
};

contextBridge.exposeInMainWorld('tillbridge', api);
