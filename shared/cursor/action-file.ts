import { failure, type Outcome } from '../errors/app-error.ts';
import { isJsonObject, parseJsonObject } from '../protocol/json.ts';
import { type CursorAction, maxActions, readAction } from './cursor-action.ts';

/** A file to share: without keys, which belong to one user's keyboard. */
export function formatActionFile(actions: readonly CursorAction[]): string {
  const shared = actions.map(({ key: _key, ...action }) => action);
  return `${JSON.stringify({ version: 1, actions: shared }, undefined, 2)}\n`;
}

/** Reads a shared file. Its actions get no keys. */
export function parseActionFile(text: string): Outcome<readonly CursorAction[]> {
  const list = parseJsonObject(text)?.['actions'];
  if (!Array.isArray(list)) return failure('cursorActionsUnread');
  const actions = (list as readonly unknown[]).map((item) =>
    isJsonObject(item) ? readAction({ ...item, key: 'none' }) : undefined,
  );
  const known = actions.filter((action) => action !== undefined);
  const ids = new Set(known.map(({ id }) => id));
  return known.length === actions.length && ids.size === known.length
    ? { ok: true, value: known }
    : failure('cursorActionsUnread');
}

/** Replaces actions with the same id, which keep their keys, and appends the others. */
export function mergeActions(
  own: readonly CursorAction[],
  added: readonly CursorAction[],
): Outcome<readonly CursorAction[]> {
  const byId = new Map(added.map((action) => [action.id, action]));
  const updated = own.map((action) => ({ ...action, ...byId.get(action.id), key: action.key }));
  const ids = new Set(own.map(({ id }) => id));
  const all = [...updated, ...added.filter(({ id }) => !ids.has(id))];
  return all.length > maxActions
    ? failure('cursorActionsMany', { most: maxActions })
    : { ok: true, value: all };
}
