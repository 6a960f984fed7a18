/** A console service that answers what it was asked, and tells what a test wants told. */
import type { ConsoleChange, ConsoleService, FileRequest } from '../../../src/contract/console/index.ts';

export interface FakeService extends ConsoleService {
  readonly asked: { name: string; request: unknown }[];
  tell(change: ConsoleChange): void;
  /** How many listen now. */
  listeners(): number;
  /** Resolves once `count` listen. */
  whenListeners(count: number): Promise<void>;
  file: { name: string; mediaType: string; content: (request: FileRequest) => AsyncIterable<Uint8Array> };
}

export function createFakeService(changes: Partial<ConsoleService> = {}): FakeService {
  const listeners = new Set<(change: ConsoleChange) => void>();
  const looks = new Set<() => void>();
  const look = () => {
    for (const each of looks) each();
  };
  const service: FakeService = {
    asked: [],
    file: {
      name: 'file.txt',
      mediaType: 'text/plain',
      async *content(request) {
        yield Buffer.from(await Promise.resolve(request.kind));
      },
    },
    invoke(name, request) {
      service.asked.push({ name, request });
      return Promise.resolve({ ok: true, value: { name, request } });
    },
    subscribe(listener) {
      listeners.add(listener);
      look();
      return () => {
        listeners.delete(listener);
        look();
      };
    },
    makeFile: (request) =>
      Promise.resolve({
        name: service.file.name,
        mediaType: service.file.mediaType,
        content: service.file.content(request),
      }),
    tell(change) {
      for (const listener of listeners) listener(change);
    },
    listeners: () => listeners.size,
    whenListeners: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (listeners.size !== count) return;
          looks.delete(check);
          resolve();
        };
        looks.add(check);
        check();
      }),
    ...changes,
  };
  return service;
}

/** A change that can be told apart by `last`; `weight` characters heavy. */
export function logChange(last: number, weight = 0): ConsoleChange {
  const line = {
    id: last,
    time: '2026-01-01T00:00:00.000Z',
    level: 'info',
    source: 'bridge',
    message: 'x'.repeat(weight),
    fields: {},
    operationId: null,
    reference: null,
  } as const;
  return { kind: 'log', lines: weight === 0 ? [] : [line], last };
}
