/** Carries the console through the API that the desktop's preload gives to the page. */
import { savedFileSchema, type ConsoleTransport, type PreloadApi } from '../../contract/console/index.ts';
import { errorText } from '../../base/error-text.ts';

/** The host is in the same process tree: the connection is never lost while the window lives. */
export function createIpcTransport(api: PreloadApi): ConsoleTransport {
  return {
    invoke: (name, request) => api.invoke(name, request),
    subscribe: (listener) => api.onChange(listener),
    quit: () => void api.quit(),
    async save(request) {
      try {
        return savedFileSchema.parse(await api.save(request));
      } catch (error) {
        return { kind: 'failed', message: errorText(error) };
      }
    },
  };
}
