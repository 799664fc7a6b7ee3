import type { ChatBranch, Turn } from '../../../shared/chat/chat-thread.ts';

interface BranchPoint {
  readonly branches: readonly ChatBranch[];
  /** The turn after which the versions stand; none at the beginning. */
  readonly before: string | undefined;
  /** The first turn of the version that is shown, where there is one. */
  readonly first: Turn | undefined;
}

interface Versions {
  /** By the ids of their branches, in the order in which they came to be; none for what is shown. */
  readonly versions: readonly (string | undefined)[];
  /** Which of them is shown; -1 where none is. */
  readonly at: number;
}

/** Choosing one moves the others about in the conversation, so their order is that of their times. */
export function branchVersions({ branches, before, first }: BranchPoint): Versions {
  const others = branches
    .filter(({ after }) => after === before)
    .map(({ id, turns }) => ({ id, at: turns[0]?.at ?? 0 }));
  const shown = first === undefined ? [] : [{ id: undefined, at: first.at }];
  const versions = [...others, ...shown].toSorted((a, b) => a.at - b.at).map(({ id }) => id);
  return { versions, at: versions.indexOf(undefined) };
}
