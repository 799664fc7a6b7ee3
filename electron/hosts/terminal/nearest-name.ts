/** The most similar name, or undefined if none is similar enough. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  // One typing error for three characters, because a short word with an error could mean anything.
  const maxErrors = Math.floor(given.length / 3);
  let nearest: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    const distance = editDistance(given, name);
    if (distance <= Math.min(maxErrors, (nearest?.distance ?? maxErrors + 1) - 1)) {
      nearest = { name, distance };
    }
  }
  return nearest?.name;
}

/** The Damerau-Levenshtein distance (optimal string alignment), computed row by row. */
function editDistance(from: string, to: string): number {
  let secondLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped && row > 1 && column > 1 ? (secondLast[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    [secondLast, last] = [last, current];
  }
  return last[to.length] ?? 0;
}
