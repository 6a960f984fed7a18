/**
 * Runs in every new document of a window, twice: in the page's own world and in the preload's isolated world. The two
 * share the document and no object, so they talk by events whose details Chromium copies from one to the other:
 *
 *     preload ──expose, call, return, settle──► page          events named CHANNEL-page and CHANNEL-preload
 *             ◄──────call, return, settle─────
 *
 * Functions and promises cannot be copied. The side that has one keeps it and hands out its number.
 */
export const connectWorlds = (side, channel, runPreload) => {
  // Kept now: the page's scripts may put something else in their place.
  const { CustomEvent, JSON, Map, Object, Promise, Error, String, Array } = globalThis;
  const dispatch = globalThis.dispatchEvent.bind(globalThis);
  const otherSide = side === 'page' ? 'preload' : 'page';
  const tell = (message) => dispatch(new CustomEvent(`${channel}-${otherSide}`, { detail: message }));

  let lastNumber = 0;
  /** Functions of this side that the other may call, by number. */
  const ownFunctions = new Map();
  /** Promises of the other side that this one waits for, by number. */
  const awaited = new Map();
  /** Answer to the call that is under way. Events are synchronous, so it is there when `tell` returns. */
  let returned = null;

  function pack(value) {
    if (typeof value === 'function') {
      ownFunctions.set((lastNumber += 1), value);
      return { is: 'function', number: lastNumber };
    }
    if (value instanceof Promise) {
      const number = (lastNumber += 1);
      value.then(
        (result) => tell({ kind: 'settle', number, ok: true, value: pack(result) }),
        (error) => tell({ kind: 'settle', number, ok: false, message: wordsOf(error) }),
      );
      return { is: 'promise', number };
    }
    if (Array.isArray(value)) return { is: 'array', items: value.map(pack) };
    if (isPlainObject(value)) {
      return { is: 'object', entries: Object.entries(value).map(([name, item]) => [name, pack(item)]) };
    }
    return { is: 'value', value };
  }

  function unpack(packed) {
    switch (packed.is) {
      case 'function':
        return (...values) => callOther(packed.number, values);
      case 'promise':
        return new Promise((resolve, reject) => awaited.set(packed.number, { resolve, reject }));
      case 'array':
        return packed.items.map(unpack);
      case 'object':
        return Object.fromEntries(packed.entries.map(([name, item]) => [name, unpack(item)]));
      default:
        return packed.value;
    }
  }

  function callOther(number, values) {
    returned = null;
    tell({ kind: 'call', number, values: values.map(pack) });
    const answer = returned;
    if (answer === null) return undefined;
    if (!answer.ok) throw new Error(answer.message);
    return unpack(answer.value);
  }

  function answerCall({ number, values }) {
    try {
      const value = ownFunctions.get(number)(...values.map(unpack));
      tell({ kind: 'return', ok: true, value: pack(value) });
    } catch (error) {
      tell({ kind: 'return', ok: false, message: wordsOf(error) });
    }
  }

  function settle({ number, ok, value, message }) {
    const waiting = awaited.get(number);
    awaited.delete(number);
    if (ok) waiting?.resolve(unpack(value));
    else waiting?.reject(new Error(message));
  }

  function expose({ name, value }) {
    const given = Object.freeze(unpack(value));
    Object.defineProperty(globalThis, name, { value: given, enumerable: true });
  }

  globalThis.addEventListener(`${channel}-${side}`, ({ detail }) => {
    if (detail.kind === 'call') answerCall(detail);
    else if (detail.kind === 'return') returned = detail;
    else if (detail.kind === 'settle') settle(detail);
    else if (side === 'page') expose(detail);
  });

  function isPlainObject(value) {
    if (typeof value !== 'object' || value === null) return false;
    const prototype = Object.getPrototypeOf(value);
    return prototype === Object.prototype || prototype === null;
  }

  function wordsOf(error) {
    return String(error?.message ?? error);
  }

  if (side === 'preload') startPreload();
  else denyWindows();

  /** What a sandboxed preload script has, and its messages to and from the main process. */
  function startPreload() {
    const toMain = globalThis.electronDoubleToMain;
    const listeners = new Map();
    const asked = new Map();
    const post = (message) => toMain(JSON.stringify(message));

    globalThis.electronDoubleDeliver = (message) => {
      if (message.kind === 'message') {
        const event = { sender: ipcRenderer };
        for (const listener of listeners.get(message.name) ?? []) listener(event, ...message.values);
        return;
      }
      const waiting = asked.get(message.number);
      asked.delete(message.number);
      if (message.ok) waiting?.resolve(message.value);
      else waiting?.reject(new Error(message.message));
    };

    const ipcRenderer = {
      on(name, listener) {
        listeners.set(name, [...(listeners.get(name) ?? []), listener]);
        return ipcRenderer;
      },
      off(name, listener) {
        listeners.set(
          name,
          (listeners.get(name) ?? []).filter((other) => other !== listener),
        );
        return ipcRenderer;
      },
      removeListener: (name, listener) => ipcRenderer.off(name, listener),
      send: (name, ...values) => post({ kind: 'send', name, values }),
      invoke: (name, ...values) =>
        new Promise((resolve, reject) => {
          const number = (lastNumber += 1);
          asked.set(number, { resolve, reject });
          post({ kind: 'invoke', number, name, values });
        }),
    };

    const exposed = new Set();
    const contextBridge = {
      exposeInMainWorld(name, value) {
        if (exposed.has(name)) {
          throw new Error('Cannot bind an API on top of an existing property on the window object');
        }
        exposed.add(name);
        tell({ kind: 'expose', name, value: pack(value) });
      },
    };

    const require = (name) => {
      if (name === 'electron' || name === 'electron/renderer') return { contextBridge, ipcRenderer };
      throw new Error(`module not found: ${name}`);
    };
    const module = { exports: {} };
    runPreload(require, module, module.exports, { type: 'renderer', sandboxed: true, contextIsolated: true });
  }

  /** `window.open` as the page sees it where windows are denied; web-contents.ts closes what comes by other ways. */
  function denyWindows() {
    const toMain = globalThis.electronDoubleWindowOpen;
    delete globalThis.electronDoubleWindowOpen;
    globalThis.open = (url) => {
      toMain?.(String(url ?? ''));
      return null;
    };
  }
};
