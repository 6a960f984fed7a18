/** Carries the console through the door that the desktop's preload opens. */
import { savedFileSchema, type ConsoleTransport, type PreloadApi } from '../../contract/console/index.ts';

/** The door is in the same process tree: its connection is never lost while the window lives. */
export function createIpcTransport(door: PreloadApi): ConsoleTransport {
  return {
    invoke: (name, request) => door.invoke(name, request),
    subscribe: (listener) => door.onChange(listener),
    async save(request) {
      try {
        return savedFileSchema.parse(await door.save(request));
      } catch (error) {
        return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}
