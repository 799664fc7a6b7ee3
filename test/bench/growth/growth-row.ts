/** The cost of an operation at several sizes, and how it may grow. */
export interface GrowthRow {
  readonly operation: string;
  readonly sizes: readonly number[];
  readonly sizeUnit: string;
  readonly costUnit: string;
  readonly costs: readonly number[];
  readonly expected: 'flat' | 'linear';
  readonly reason: string;
}

/** Ratio up to which costs count as equal on a shared machine. */
const equalRatio = 1.6;

/** Classifies the growth from the smallest to the largest size. */
function classifyGrowth({ sizes, costs }: GrowthRow): 'flat' | 'linear' | 'more than linear' {
  const grown = ratioOf(costs);
  if (grown <= equalRatio) return 'flat';
  return grown <= ratioOf(sizes) * equalRatio ? 'linear' : 'more than linear';
}

function ratioOf(values: readonly number[]): number {
  return (values.at(-1) ?? Number.NaN) / (values[0] ?? Number.NaN);
}

/** Slower growth than expected also passes. */
export function isWithinExpectation(row: GrowthRow): boolean {
  const verdict = classifyGrowth(row);
  return verdict === 'flat' || verdict === row.expected;
}

export function formatRow(row: GrowthRow): string {
  const { operation, sizes, sizeUnit, costUnit, costs, reason } = row;
  const found = sizes.map((size, at) => `${size}: ${(costs[at] ?? 0).toPrecision(3)}`).join(', ');
  const suffix = isWithinExpectation(row) ? '' : `, and NOT ${row.expected}`;
  return `| ${operation} | ${sizeUnit} | ${found} ${costUnit} | ${classifyGrowth(row)} (${ratioOf(costs).toFixed(2)})${suffix} | ${reason} |`;
}
