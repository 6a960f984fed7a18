import type { ReactNode } from 'react';

/** `figures` stand at the right edge; `prose` is broken anywhere before it makes the table too wide. */
interface Column {
  label: string;
  figures?: true;
  prose?: true;
}

/** A table on screen and on paper; it scrolls by itself where it is too wide. */
export function ReportTable({
  label,
  columns,
  rows,
}: {
  label: string;
  columns: Column[];
  rows: { key: string; cells: ReactNode[] }[];
}) {
  return (
    <div className="report-scroll" tabIndex={0} role="group" aria-label={label}>
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.label} scope="col" data-figures={column.figures}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {columns.map((column, at) =>
                at === 0 ? (
                  <th key={column.label} scope="row">
                    {cells[at]}
                  </th>
                ) : (
                  <td
                    key={column.label}
                    data-label={column.label}
                    data-figures={column.figures}
                    data-prose={column.prose}
                  >
                    {cells[at]}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
