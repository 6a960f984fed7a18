/** The bridge's settings that the window offers, by the keys of the configuration. */
import type { Configuration, TerminalAddress } from '../../contract/configuration.ts';
import type { BridgeSettings } from '../../contract/console/index.ts';

export const passwordKey = 'zvt.password';

/** Each setting of `settings` by its key; the password only where there is a new one. */
export function valuesByKey(settings: BridgeSettings): Map<string, unknown> {
  const { serial, zvt } = settings;
  const entries: [string, unknown][] = [
    ['terminal', settings.terminal],
    ['currency', settings.currency],
    ['port', settings.port],
    ['allowedOrigins', settings.allowedOrigins],
    ['makeReferences', settings.makeReferences],
    ['maxTipPercent', settings.maxTipPercent],
    ['logLevel', settings.logLevel],
    ['serial.baudRate', serial.baudRate],
    ['serial.dataBits', serial.dataBits],
    ['serial.parity', serial.parity],
    ['serial.stopBits', serial.stopBits],
    ['zvt.receipts', zvt.receipts],
    ['zvt.textEncoding', zvt.textEncoding],
  ];
  if (zvt.password !== null) entries.push([passwordKey, zvt.password]);
  return new Map(entries);
}

/** What of `configuration` the window is shown; never the password. */
export function bridgeSettingsOf(configuration: Configuration, terminal: string | null): BridgeSettings {
  const { currency, port, allowedOrigins, makeReferences, maxTipPercent, logLevel, serial, zvt } =
    configuration;
  return {
    terminal,
    currency,
    port,
    allowedOrigins: [...allowedOrigins],
    makeReferences,
    maxTipPercent,
    logLevel,
    serial,
    zvt: { password: null, receipts: zvt.receipts, textEncoding: zvt.textEncoding },
  };
}

/** The address in the form in which it is set. */
export function terminalText(address: TerminalAddress): string {
  switch (address.kind) {
    case 'simulator':
      return 'simulator';
    case 'serial':
      return `serial:${address.path}`;
    case 'tcp':
      return `tcp:${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`;
  }
}
