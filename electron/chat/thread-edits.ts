import type {
  AssistantTurn,
  ChatBranch,
  ChatThread,
  Part,
  Turn,
  UserTurn,
} from '../../shared/chat/chat-thread.ts';
import type { Random, WallClock } from '../../shared/ports/clock.ts';

/** Everything from a turn on becomes a branch that can be chosen again. */
export function branchOff(conversation: ChatThread, from: number, id: string): ChatThread {
  const { turns, branches } = conversation;
  const tail = turns.slice(from);
  const kept = { ...conversation, turns: turns.slice(0, from) };
  if (isWorthless(tail)) return { ...kept, branches: rooted(kept.turns, branches) };
  return { ...kept, branches: [...branches, { id, after: turns[from - 1]?.id, turns: tail }] };
}

/** The branch takes the place of what follows its root now, which becomes a branch in turn. */
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

/** A question goes with its answer; an answer goes alone. */
export function removeTurn(conversation: ChatThread, index: number): ChatThread {
  const { turns, branches } = conversation;
  const next = turns[index + 1];
  const count = turns[index]?.role === 'user' && next?.role === 'assistant' ? 2 : 1;
  const gone = turns.slice(index, index + count);
  const last = gone.at(-1);
  const before = turns[index - 1]?.id;
  const left = [...turns.slice(0, index), ...turns.slice(index + count)];
  // What followed the last one that goes follows what was before it.
  const moved = branches.map(({ id, after, turns }) => {
    const follows = last?.role === 'assistant' && after === last.id;
    return { id, after: follows ? before : after, turns };
  });
  return { ...conversation, turns: left, branches: rooted(left, moved) };
}

/** Nothing that a person said, and no answer. */
function isWorthless(turns: readonly Turn[]): boolean {
  return turns.every((turn) => turn.role === 'assistant' && turn.text === '');
}

/** Only the branches whose root there still is, here or in another branch. */
function rooted(turns: readonly Turn[], branches: readonly ChatBranch[]): readonly ChatBranch[] {
  const known = new Set(
    [...turns, ...branches.flatMap((branch) => branch.turns)].map(({ id }) => id),
  );
  const left = branches.filter(({ after }) => after === undefined || known.has(after));
  return left.length === branches.length ? left : rooted(turns, left);
}

const maxLetters = 48;

/** The first words of a message, for a list; empty where there are none. */
export function chatTitleOf(parts: readonly Part[]): string {
  const text = parts.find((part) => part.type === 'text')?.text ?? '';
  // Only the beginning is looked at: the rest of a long paste says no more.
  const line = text.slice(0, 2000).trim().replaceAll(/\s+/gu, ' ');
  const letters = Array.from(line.slice(0, 4 * maxLetters));
  if (letters.length <= maxLetters) return line;
  const cut = letters.slice(0, maxLetters).join('');
  const space = cut.lastIndexOf(' ');
  return `${space > maxLetters / 2 ? cut.slice(0, space) : cut}…`;
}

/** An id that no other has: 80 bits of dice, fit for a file's name everywhere. */
export function makeChatId(random: Random): string {
  let id = '';
  while (id.length < 16) id += Math.floor(random() * 32).toString(32);
  return id;
}

/** Makes conversations and turns as they begin, each with an id of its own and its time. */
export class NewChatTurns {
  readonly #random: Random;
  readonly #wallClock: WallClock;

  constructor(random: Random, wallClock: WallClock) {
    this.#random = random;
    this.#wallClock = wallClock;
  }

  id(): string {
    return makeChatId(this.#random);
  }

  thread(): ChatThread {
    const at = this.#wallClock();
    const times = { createdAt: at, updatedAt: at };
    return { id: this.id(), title: '', ...times, pinned: false, turns: [], branches: [] };
  }

  question(parts: readonly Part[]): UserTurn {
    return { role: 'user', id: this.id(), at: this.#wallClock(), parts };
  }

  /** Nothing of it has come yet. */
  answer(): AssistantTurn {
    const at = this.#wallClock();
    const state = { kind: 'streaming' } as const;
    return { role: 'assistant', id: this.id(), at, text: '', state, speechSeconds: 0 };
  }
}
