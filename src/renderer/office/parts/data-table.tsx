/** A table that becomes a list of cards where there is no room for its columns: each value then has its name beside it. */
import type { CSSProperties, ReactNode } from 'react';

export interface Column<T> {
  name: string;
  label: string;
  /** As a grid's track, such as "minmax(0, 1fr)". */
  width: string;
  cell: (row: T) => ReactNode;
}

export function DataTable<T>({
  label,
  columns,
  rows,
  keyOf,
}: {
  label: string;
  columns: Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string | number;
}) {
  const tracks: CSSProperties = { '--table-columns': columns.map(({ width }) => width).join(' ') };
  return (
    <div role="table" aria-label={label} className="card data-table" style={tracks}>
      <div role="rowgroup" className="data-table-head">
        <div role="row" className="data-row">
          {columns.map((column) => (
            <span role="columnheader" key={column.name}>
              {column.label}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup">
        {rows.map((row) => (
          <div role="row" key={keyOf(row)} className="data-row">
            {columns.map((column) => (
              <span role="cell" key={column.name} className={`data-cell data-${column.name}`}>
                <span className="data-label" aria-hidden="true">
                  {column.label}
                </span>
                <span className="data-value">{column.cell(row)}</span>
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
