/** `tillbridge ports`: what a terminal may be plugged into. */
import { listSerialPorts, type SerialPortInfo } from '../../bridge/lines/index.ts';
import { exitOk, oneLine } from '../cli-context.ts';
import type { AddCommand } from './shared.ts';

export const addPortsCommand: AddCommand = (program, context, runAction) => {
  program
    .command('ports')
    .summary('List the serial ports of this computer with their names.')
    .description('Lists the serial ports of this computer with their names.')
    .option('--json', 'Print one JSON array instead.')
    .addHelpText('after', '\nExample:\n  $ tillbridge ports')
    .action((options: { json?: true }) =>
      runAction(async () => {
        const ports = await listSerialPorts();
        if (options.json === true) {
          context.stdoutExact(JSON.stringify(ports));
          return exitOk;
        }
        if (ports.length === 0) context.stdout('No serial port was found.');
        for (const port of ports) context.stdout(oneLine(portLine(port)));
        return exitOk;
      }),
    );
};

/** First what `--terminal` takes, then what is known of the device. */
function portLine({ path, name, vendorId, productId, serialNumber }: SerialPortInfo): string {
  const usb = vendorId === null || productId === null ? null : `usb ${vendorId}:${productId}`;
  const details = [name, usb, serialNumber === null ? null : `serial number ${serialNumber}`];
  return [`serial:${path}`, ...details.filter((detail) => detail !== null)].join('  ');
}
