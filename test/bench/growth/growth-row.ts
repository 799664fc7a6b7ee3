export interface GrowthRow {
  readonly what: string;
  readonly sizes: readonly number[];
  readonly of: string;
  readonly unit: string;
  readonly costs: readonly number[];
  readonly expected: 'flat' | 'linear';
  readonly why: string;
}

/** Ratio up to which costs count as equal on a shared machine. */
const alike = 1.6;

/** Classifies the growth from the smallest to the largest size. */
function classifyGrowth({ sizes, costs }: GrowthRow): 'flat' | 'linear' | 'more than linear' {
  const grown = timesOf(costs);
  if (grown <= alike) return 'flat';
  return grown <= timesOf(sizes) * alike ? 'linear' : 'more than linear';
}

function timesOf(values: readonly number[]): number {
  return (values.at(-1) ?? Number.NaN) / (values[0] ?? Number.NaN);
}

/** Slower growth than expected also passes. */
export function isWithinExpectation(row: GrowthRow): boolean {
  const verdict = classifyGrowth(row);
  return verdict === 'flat' || verdict === row.expected;
}

export function inLine(row: GrowthRow): string {
  const { what, sizes, of, unit, costs, why } = row;
  const found = sizes.map((size, at) => `${size}: ${(costs[at] ?? 0).toPrecision(3)}`).join(', ');
  const kept = isWithinExpectation(row) ? '' : `, and NOT ${row.expected}`;
  return `| ${what} | ${of} | ${found} ${unit} | ${classifyGrowth(row)} (${timesOf(costs).toFixed(2)})${kept} | ${why} |`;
}
