const token = /\p{Script=Han}|[\p{L}\p{N}]+/gu;
/** More is compared in its beginning only: the table grows with the square. */
const maxTokens = 3000;

/** How much of two texts is the same words in the same order, from 0 to 1; two that are empty are alike. */
export function sameWords(one: string, other: string): number {
  const [left, right] = [one, other].map((text) =>
    (text.toLowerCase().match(token) ?? []).slice(0, maxTokens),
  ) as [string[], string[]];
  if (left.length + right.length === 0) return 1;
  let row = Array.from({ length: right.length + 1 }, () => 0);
  for (const word of left) {
    const next = [0];
    for (const [n, against] of right.entries())
      next.push(word === against ? (row[n] ?? 0) + 1 : Math.max(row[n + 1] ?? 0, next[n] ?? 0));
    row = next;
  }
  return (2 * (row.at(-1) ?? 0)) / (left.length + right.length);
}
