/** The name that was probably meant; nothing where that would be a guess. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  // One slip of the fingers in three letters; in a shorter word it could be any other.
  const slips = Math.floor(given.length / 3);
  let nearest: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    const distance = editDistance(given, name);
    if (distance <= Math.min(slips, (nearest?.distance ?? slips + 1) - 1)) {
      nearest = { name, distance };
    }
  }
  return nearest?.name;
}

/** How many letters have to be put in, left out, exchanged, or swapped with the next. */
function editDistance(from: string, to: string): number {
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      line[column] = Math.min(
        (last[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped && row > 1 && column > 1 ? (before[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    [before, last] = [last, line];
  }
  return last[to.length] ?? 0;
}
