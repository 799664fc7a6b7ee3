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

/** Written, and sent by Enter. */
export const type = (text: string): Action => ({ do: 'type', text, enter: true });

/** Written, and left there. */
export const write = (text: string): Action => ({ do: 'type', text, enter: false });

/** Looked for among the commands by a word that one has for it. */
export const ask = (words: TaskWords, texts: TypedTexts) => [
  key('Control+k'),
  type(words.typed(texts)),
];

/** A name that goes on, for example with what is chosen. */
export const beginning = (text: string): RegExp =>
  new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`, 'u');
