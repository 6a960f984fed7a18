/**
 * Plays signals with the browser's own tone generators. A browser plays nothing before a person has used the page; the
 * desktop app does. Of several windows of one browser only one plays: the first that may.
 */
import type { AppSettings } from '../../contract/console/index.ts';
import type { Signal } from '../store/till-events.ts';
import { tones } from './tones.ts';

/** `waiting`: it is on, and the browser wants a click or a key first. */
export type PlayerState = 'off' | 'waiting' | 'ready';

export interface Player {
  state(): PlayerState;
  subscribe(listener: () => void): () => void;
  /** From now on signals are played; the result ends that. */
  turnOn(): () => void;
  /** To be called while a person clicks: the browser then allows it. */
  allow(): void;
  /** In this window, if it is the one that plays. */
  signal(signal: Signal, volume: Volume): void;
  /** Here and now, because a person has clicked for it. */
  try(signal: Signal, volume: Volume): void;
}

type Volume = AppSettings['soundVolume'];

const loudness: Record<Volume, number> = { quiet: 0.06, medium: 0.2, loud: 0.6 };
/** A tone that began and ended at once would click. */
const rampS = 0.015;

/** Held by the window that plays. */
const lockName = 'tillbridge.sounds';

function createPlayer(): Player {
  let context: AudioContext | null = null;
  let isOn = false;
  let endTurn: (() => void) | null = null;
  let isOurTurn = false;
  const listeners = new Set<() => void>();

  function changed() {
    if (isOn && endTurn === null && context?.state === 'running') takeTurn();
    for (const listener of listeners) listener();
  }

  function open(): AudioContext {
    if (context !== null) return context;
    context = new AudioContext();
    context.addEventListener('statechange', changed);
    return context;
  }

  /** Waits until no other window plays. */
  function takeTurn() {
    const turn = Promise.withResolvers<void>();
    const stop = new AbortController();
    endTurn = () => {
      stop.abort();
      turn.resolve();
      isOurTurn = false;
      endTurn = null;
    };
    const begin = () => {
      isOurTurn = true;
      return turn.promise;
    };
    // Not where the page has no secure address; then it is the only window that can be told of.
    if (!('locks' in navigator)) void begin();
    else navigator.locks.request(lockName, { signal: stop.signal }, begin).catch(() => {});
  }

  function play(signal: Signal, volume: Volume) {
    const audio = open();
    const startS = audio.currentTime + 0.02;
    for (const { hertz, atMs, forMs } of tones[signal]) {
      const fromS = startS + atMs / 1_000;
      const untilS = fromS + forMs / 1_000;
      const gain = new GainNode(audio, { gain: 0 });
      gain.gain.setValueAtTime(0, fromS);
      gain.gain.linearRampToValueAtTime(loudness[volume], fromS + rampS);
      gain.gain.setValueAtTime(loudness[volume], untilS - rampS);
      gain.gain.linearRampToValueAtTime(0, untilS);
      const oscillator = new OscillatorNode(audio, { type: 'triangle', frequency: hertz });
      oscillator.connect(gain).connect(audio.destination);
      oscillator.start(fromS);
      oscillator.stop(untilS);
    }
  }

  function allow() {
    // Where it is refused, `state` goes on saying so.
    if (context?.state === 'suspended') context.resume().catch(() => {});
  }

  return {
    state: () => (!isOn ? 'off' : context?.state === 'running' ? 'ready' : 'waiting'),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    turnOn() {
      isOn = true;
      open();
      window.addEventListener('pointerdown', allow);
      window.addEventListener('keydown', allow);
      changed();
      return () => {
        isOn = false;
        endTurn?.();
        window.removeEventListener('pointerdown', allow);
        window.removeEventListener('keydown', allow);
        changed();
      };
    },
    allow,
    signal(signal, volume) {
      if (isOn && isOurTurn && context?.state === 'running') play(signal, volume);
    },
    try(signal, volume) {
      const audio = open();
      audio.resume().then(
        () => play(signal, volume),
        () => {},
      );
    },
  };
}

/** The window's one player. */
export const player = createPlayer();
