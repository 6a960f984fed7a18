/** Serial ports as `tillbridge ports` prints them. */
import type { SerialPortView } from '../contract/console/index.ts';

/** A line for each port below the names of the columns, those that have something in them. */
export function portTable(ports: readonly SerialPortView[]): string[] {
  return table([columns, ...ports.map(rowOf)]);
}

const columns = ['PORT', 'MAKER', 'PRODUCT', 'SERIAL NUMBER', 'USB', 'PROBABLY', 'USE'];

/** First what `--terminal` takes. */
function rowOf(port: SerialPortView): string[] {
  const { vendorId, productId } = port;
  return [
    `serial:${port.path}`,
    port.maker ?? '',
    port.product ?? '',
    port.serialNumber ?? '',
    vendorId === null || productId === null ? '' : `${vendorId}:${productId}`,
    guessOf(port),
    useOf(port),
  ];
}

function guessOf({ guess }: SerialPortView): string {
  if (guess === null) return '';
  if (guess.kind === 'adapter') return `adapter (${guess.maker})`;
  return `card terminal (${guess.maker}; ${guess.protocols.join(' or ')})`;
}

function useOf({ holder, denied, group, terminal, ofTerminal }: SerialPortView): string {
  const uses = [
    terminal === 'here'
      ? ofTerminal === undefined
        ? 'the terminal of the settings'
        : `the terminal "${ofTerminal}"`
      : null,
    terminal === 'unsure'
      ? `another device than before (see --accept${ofTerminal === undefined ? '' : ` --for ${ofTerminal}`})`
      : null,
    holder === null ? null : `held by ${holder.program} (process ${holder.processId})`,
    denied ? `no permission${group === null ? '' : ` (group ${group})`}` : null,
  ];
  return uses.filter((use) => use !== null).join(', ');
}

/** Columns as wide as they need to be; one in which nothing stands is left out. */
function table(rows: string[][]): string[] {
  const shown = columns.map((_, column) => rows.slice(1).some((row) => row[column] !== ''));
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .flatMap((cell, column) => (shown[column] === true ? [cell.padEnd(widths[column] ?? 0)] : []))
      .join('  ')
      .trimEnd(),
  );
}
