import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { useTillEvents, useView } from '../store/console-context.tsx';
import type { Signal } from '../store/till-events.ts';
import { player, type PlayerState } from './player.ts';

/** Plays what happens at the till, as the settings say; once in a window. */
export function useSounds(): void {
  const app = useView().settings?.settings.app;
  const isOn = app?.sounds ?? false;
  const events = useTillEvents();
  const onSignal = useEffectEvent((signal: Signal) => player.signal(signal, app?.soundVolume ?? 'medium'));
  useEffect(() => (isOn ? player.turnOn() : undefined), [isOn]);
  useEffect(() => events.onSignal((signal) => onSignal(signal)), [events]);
}

export function usePlayerState(): PlayerState {
  return useSyncExternalStore(player.subscribe, player.state);
}
