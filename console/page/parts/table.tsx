import type { ComponentChildren } from 'preact';

/** Nothing in a cell means that there is nothing to tell: where room is short it is left out. */
export type Cell = ComponentChildren;

export interface Row {
  readonly key: string | number;
  readonly cells: readonly Cell[];
}

interface TableProps {
  readonly label: string;
  /** What its cells are; the first column names the row. Those that hold numbers are set as such. */
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly foot?: readonly Cell[];
  readonly numbers?: boolean;
  /** How its rows look: `wide` needs more room for its columns than others, `pairs` has two and always room for them. */
  readonly kind?: 'wide' | 'runs' | 'counts' | 'pairs';
}

/**
 * A table whose rows become cards where its place is narrow, so that nothing has to be scrolled sideways. The roles say
 * what it is even then: browsers take what is not laid out as a table for none.
 */
export function Table({ label, columns, rows, foot, numbers = false, kind }: TableProps) {
  return (
    <div class={`box ${kind ?? ''}`} role="region" aria-label={label}>
      <table class={`list ${kind ?? ''} ${numbers ? 'numbers' : ''}`} role="table">
        <thead role="rowgroup"><tr role="row">{columns.map((name) => <th key={name} scope="col" role="columnheader">{name}</th>)}</tr></thead>
        <tbody role="rowgroup">{rows.map(({ key, cells }) => <Line key={key} columns={columns} cells={cells} />)}</tbody>
        {foot ? <tfoot role="rowgroup"><Line columns={['', ...columns.slice(1)]} cells={foot} /></tfoot> : null}
      </table>
    </div>
  );
}

function Line({ columns, cells: [name, ...cells] }: { readonly columns: readonly string[]; readonly cells: readonly Cell[] }) {
  return (
    <tr role="row">
      <th scope="row" role="rowheader" data-label={columns[0] || undefined}>{name}</th>
      {cells.map((cell, i) => <td key={i} role="cell" data-label={columns[i + 1]} class={cell === undefined ? 'none' : ''}><span>{cell ?? '–'}</span></td>)}
    </tr>
  );
}
