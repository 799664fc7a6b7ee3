import type { Action, Target, TaskWords, TypedTexts } from './task.ts';

type Role = Target['role'];
type More = Omit<Target, 'role' | 'name'>;

export const target = (role: Role, name?: string | RegExp, more: More = {}): Target => ({
  role,
  ...(name === undefined ? {} : { name }),
  ...more,
});

export const click = (role: Role, name?: string | RegExp, more: More = {}): Action => ({
  do: 'click',
  at: target(role, name, more),
});

export const hold = (role: Role, name: string): Action => ({ do: 'hold', at: target(role, name) });

export const key = (key: string): Action => ({ do: 'key', key });

export const systemKey = (key: string): Action => ({ do: 'systemKey', key });

/** Types a text and presses Enter. */
export const type = (text: string): Action => ({ do: 'type', text, enter: true });

export const write = (text: string): Action => ({ do: 'type', text, enter: false });

/** Finds a command by a word. */
export const ask = (words: TaskWords, texts: TypedTexts) => [
  key('Control+k'),
  type(words.typed(texts)),
];

/** Matches names that begin with a text, for example a label followed by its value. */
export const startingWith = (text: string): RegExp =>
  new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`, 'u');
