import type { FoundPlace } from '../../../shared/history/history-item.ts';

/** Words with those marked that were looked for. */
export function MarkedText({ excerpt, marks }: Pick<FoundPlace, 'excerpt' | 'marks'>) {
  const pieces = marks.map(({ from, to }, index) => ({
    before: excerpt.slice(marks[index - 1]?.to ?? 0, from),
    marked: excerpt.slice(from, to),
    at: from,
  }));
  return (
    <>
      {pieces.map(({ before, marked, at }) => (
        <span key={at}>
          {before}
          <mark>{marked}</mark>
        </span>
      ))}
      {excerpt.slice(marks.at(-1)?.to ?? 0)}
    </>
  );
}
