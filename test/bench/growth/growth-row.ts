/** What the same costs at several sizes. */
export interface GrowthRow {
  readonly what: string;
  /** What grows from one to the next. */
  readonly sizes: readonly number[];
  readonly of: string;
  readonly unit: string;
  readonly costs: readonly number[];
  /** What is expected, and why it is no worse. */
  readonly expected: 'flat' | 'linear';
  readonly why: string;
}

/** The machine is shared: a figure is as good as another up to here. */
const alike = 1.6;

/** How it grows from the smallest to the largest, by what was measured. */
function verdictOf({ sizes, costs }: GrowthRow): 'flat' | 'linear' | 'more than linear' {
  const grown = timesOf(costs);
  if (grown <= alike) return 'flat';
  return grown <= timesOf(sizes) * alike ? 'linear' : 'more than linear';
}

function timesOf(values: readonly number[]): number {
  return (values.at(-1) ?? Number.NaN) / (values[0] ?? Number.NaN);
}

/** Flat is also what was to be linear; and only what is worse than it was to be is broken. */
export function keepsTo(row: GrowthRow): boolean {
  const verdict = verdictOf(row);
  return verdict === 'flat' || verdict === row.expected;
}

export function inLine(row: GrowthRow): string {
  const { what, sizes, of, unit, costs, why } = row;
  const found = sizes.map((size, at) => `${size}: ${(costs[at] ?? 0).toPrecision(3)}`).join(', ');
  const kept = keepsTo(row) ? '' : `, and NOT ${row.expected}`;
  return `| ${what} | ${of} | ${found} ${unit} | ${verdictOf(row)} (${timesOf(costs).toFixed(2)})${kept} | ${why} |`;
}
