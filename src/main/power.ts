/** Sleep and the computer's power: a payment keeps the computer awake, and the line is closed while it sleeps. */
import { powerMonitor, powerSaveBlocker } from 'electron';
import type { Clock } from '../base/clock.ts';
import type { AppBridge } from './app-bridge.ts';

/** Called once, when Electron is ready. */
export function followPower(
  bridge: Pick<AppBridge, 'console' | 'onTerminals' | 'log' | 'suspend' | 'resume'>,
  clock: Clock,
): void {
  const log = bridge.log.with({ source: 'app' });
  /** Set while it sleeps: since when, in milliseconds since 1970. */
  let asleepSinceMs: number | null = null;
  let blocker: number | null = null;

  /** Only sleep for want of use can be kept off; a lid that is closed, or a user who asks for it, has its way. */
  function keepAwake(wanted: boolean): void {
    if (wanted && blocker === null) blocker = powerSaveBlocker.start('prevent-app-suspension');
    if (wanted || blocker === null) return;
    powerSaveBlocker.stop(blocker);
    blocker = null;
  }

  bridge.console.subscribe((change) => {
    if (change.kind === 'state') keepAwake(bridge.onTerminals().length > 0);
  });

  powerMonitor.on('suspend', () => {
    const operations = bridge.onTerminals();
    if (operations.length === 0) log.info('the computer goes to sleep');
    for (const { operationId } of operations)
      log.warn('the computer goes to sleep with an operation on the terminal', { operation_id: operationId });
    asleepSinceMs ??= clock.now();
    void bridge.suspend();
  });
  powerMonitor.on('resume', () => {
    const sleptMs = asleepSinceMs === null ? null : clock.now() - asleepSinceMs;
    log.info('the computer is awake again; the terminal is checked', { slept_ms: sleptMs });
    // A sleep that nobody was told of: what is open may lead nowhere. The operation on the terminal finds out by itself.
    if (sleptMs === null && bridge.onTerminals().length === 0) void bridge.suspend();
    asleepSinceMs = null;
    bridge.resume();
  });

  // macOS and Windows.
  powerMonitor.on('on-battery', () => log.info('the computer runs on its battery'));
  powerMonitor.on('on-ac', () => log.info('the computer has mains power again'));
}
