/** The window's end of the desktop's door, with a door of the test's own. */
import { describe, expect, it } from 'vitest';
import type { PreloadApi } from '../../../src/contract/console/index.ts';
import { createIpcTransport } from '../../../src/renderer/transport/ipc-transport.ts';

function api(changes: Partial<PreloadApi>): PreloadApi {
  return {
    invoke: (name, request) => Promise.resolve({ name, request }),
    onChange: () => () => {},
    onGoTo: () => {},
    show: () => Promise.resolve(),
    tryNotification: () => Promise.resolve('shown'),
    save: () => Promise.resolve({ kind: 'cancelled' }),
    quit: () => Promise.resolve(),
    ...changes,
  };
}

describe('the IPC transport', () => {
  it('hands questions on, and changes until it is stopped', async () => {
    const listeners = new Set<(change: unknown) => void>();
    const transport = createIpcTransport(
      api({
        onChange(listener) {
          listeners.add(listener);
          return () => void listeners.delete(listener);
        },
      }),
    );
    expect(await transport.invoke('state', {})).toEqual({ name: 'state', request: {} });
    const heard: unknown[] = [];
    const stop = transport.subscribe(
      (change) => heard.push(change),
      () => heard.push('connection'),
    );
    for (const listener of listeners) listener({ kind: 'batch' });
    expect(heard).toEqual([{ kind: 'batch' }]);
    stop();
    expect(listeners.size).toBe(0);
  });

  it('gives what became of a file, and a failure for what it does not understand', async () => {
    const save = (answer: Promise<unknown>) =>
      createIpcTransport(api({ save: () => answer })).save({ kind: 'support_bundle' });
    const saved = { kind: 'saved', name: 'a.zip' };
    expect(await save(Promise.resolve(saved))).toEqual(saved);
    expect(await save(Promise.resolve({ kind: 'cancelled' }))).toEqual({ kind: 'cancelled' });
    expect(await save(Promise.resolve({ kind: 'saved' }))).toMatchObject({ kind: 'failed' });
    expect(await save(Promise.reject(new Error('gone')))).toEqual({ kind: 'failed', message: 'gone' });
  });
});
