import type {
  AssistantTurn,
  ChatBranch,
  ChatThread,
  Part,
  Turn,
  UserTurn,
} from '../../shared/chat/chat-thread.ts';
import { makeRandomId, type Random, type WallClock } from '../../shared/ports/clock.ts';
import { toOneLine } from '../../shared/text.ts';

/**
 * Moves everything from a turn on into a branch, which can be chosen again. If all of it is empty answers that no branch
 * follows, drops it instead.
 */
export function branchOff(conversation: ChatThread, from: number, id: string): ChatThread {
  const { turns, branches } = conversation;
  const tail = turns.slice(from);
  const shortened = { ...conversation, turns: turns.slice(0, from) };
  if (hasOnlyEmptyAnswers(tail) && !isFollowed(tail, branches)) return shortened;
  return { ...shortened, branches: [...branches, { id, after: turns[from - 1]?.id, turns: tail }] };
}

/**
 * Replaces what follows the branch's root with the branch, and makes a branch of the replaced turns. Undefined if the branch or
 * its root is gone.
 */
export function switchBranch(
  conversation: ChatThread,
  branchId: string,
  newId: string,
): ChatThread | undefined {
  const { turns, branches } = conversation;
  const branch = branches.find(({ id }) => id === branchId);
  if (branch === undefined) return undefined;
  const root = turns.findIndex(({ id }) => id === branch.after);
  if (root === -1 && branch.after !== undefined) return undefined;
  const others = branches.filter((other) => other !== branch);
  const before = branchOff({ ...conversation, branches: others }, root + 1, newId);
  return { ...before, turns: [...before.turns, ...branch.turns] };
}

/** Chooses the branches that lead to a turn. Returns the same conversation if no branch has this turn. */
export function switchToTurn(
  conversation: ChatThread,
  turn: string | undefined,
  newId: () => string,
): ChatThread {
  const path: ChatBranch[] = [];
  for (let target = turn; target !== undefined;) {
    const hasTarget = ({ turns }: ChatBranch): boolean => turns.some(({ id }) => id === target);
    // A damaged file may have branches that follow each other.
    const branch = conversation.branches.find((each) => hasTarget(each) && !path.includes(each));
    if (branch !== undefined) path.unshift(branch);
    target = branch?.after;
  }
  return path.reduce((shown, { id }) => switchBranch(shown, id, newId()) ?? shown, conversation);
}

/** Removes a question with its answer, or an answer alone. */
export function removeTurn(conversation: ChatThread, index: number): ChatThread {
  const { turns, branches } = conversation;
  const next = turns[index + 1];
  const count = turns[index]?.role === 'user' && next?.role === 'assistant' ? 2 : 1;
  const removed = turns.slice(index, index + count);
  const last = removed.at(-1);
  const before = turns[index - 1]?.id;
  const remaining = [...turns.slice(0, index), ...turns.slice(index + count)];
  // Branches that followed the removed answer now follow the turn before the removed ones.
  const moved = branches.map(({ id, after, turns }) => {
    const follows = last?.role === 'assistant' && after === last.id;
    return { id, after: follows ? before : after, turns };
  });
  return { ...conversation, turns: remaining, branches: dropOrphanBranches(remaining, moved) };
}

/** Whether a branch begins after one of these turns. */
function isFollowed(turns: readonly Turn[], branches: readonly ChatBranch[]): boolean {
  return turns.some(({ id }) => branches.some(({ after }) => after === id));
}

function hasOnlyEmptyAnswers(turns: readonly Turn[]): boolean {
  return turns.every((turn) => turn.role === 'assistant' && turn.text === '');
}

/** Drops branches whose root no longer exists, here or in another branch. */
function dropOrphanBranches(
  turns: readonly Turn[],
  branches: readonly ChatBranch[],
): readonly ChatBranch[] {
  const known = new Set(
    [...turns, ...branches.flatMap((branch) => branch.turns)].map(({ id }) => id),
  );
  const remaining = branches.filter(({ after }) => after === undefined || known.has(after));
  return remaining.length === branches.length ? remaining : dropOrphanBranches(turns, remaining);
}

const maxTitleLength = 48;

/** The first words of a message, for a list; empty if it has no text. Copied texts come before the user's words. */
export function makeChatTitle(parts: readonly Part[]): string {
  const text = parts.findLast((part) => part.type === 'text')?.text ?? '';
  // Looks at the beginning only, because a pasted text can be long.
  const line = toOneLine(text.slice(0, 2000));
  const characters = Array.from(line.slice(0, 4 * maxTitleLength));
  if (characters.length <= maxTitleLength) return line;
  const cut = characters.slice(0, maxTitleLength).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > maxTitleLength / 2 ? cut.slice(0, space) : cut}…`;
}

/** Creates conversations and turns with their ids and times. */
export class NewChatTurns {
  readonly #random: Random;
  readonly #wallClock: WallClock;

  constructor(random: Random, wallClock: WallClock) {
    this.#random = random;
    this.#wallClock = wallClock;
  }

  id(): string {
    return makeRandomId(this.#random);
  }

  thread(): ChatThread {
    const at = this.#wallClock();
    const times = { createdAt: at, updatedAt: at };
    return { id: this.id(), title: '', ...times, pinned: false, turns: [], branches: [] };
  }

  question(parts: readonly Part[]): UserTurn {
    return { role: 'user', id: this.id(), at: this.#wallClock(), parts };
  }

  answer(): AssistantTurn {
    const at = this.#wallClock();
    const state = { kind: 'streaming' } as const;
    return { role: 'assistant', id: this.id(), at, text: '', state, speechSeconds: 0 };
  }
}
