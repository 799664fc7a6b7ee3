import { writeContent } from '../../../../shared/ports/files.ts';
import { exitCode, terminalCommand, type OpenParts } from '../terminal-command.ts';
import { unwrapOrExit } from '../options/command-files.ts';
import { failure, type Outcome } from '../../../../shared/errors/app-error.ts';
import { isJsonObject, parseJsonObject } from '../../../../shared/protocol/json.ts';
import {
  maxActions,
  readAction,
  type CursorAction,
} from '../../../../shared/cursor/cursor-action.ts';

/** The disk is full, for example, or a newer Parley has written the settings. */
const unstoredCodes: ReadonlySet<string> = new Set(['changesNotStored', 'leftToNewer']);

/** Larger than the largest list of actions. */
const maxFileBytes = 1024 * 1024;

export const actionsCommand = terminalCommand(
  {
    name: 'actions',
    summary: 'export or import the actions for selected text',
    word: {
      name: 'export|import',
      about: {
        export: 'writes the actions to FILE, without their keys',
        import: 'adds the actions of FILE; actions with the same id are replaced',
      },
      missing: 'Name an action: parley actions export or import.',
    },
    object: {
      name: 'FILE',
      about: 'a JSON file with actions',
      missing: 'Name a file: parley actions export FILE.',
      file: true,
    },
    options: {},
    notes: ['Exit: 0 done, 2 wrong usage, or FILE or the settings cannot be used'],
  },
  async ({ word, object }, { out }, openCore: OpenParts<'files' | 'settings'>) => {
    const { files, settings } = await openCore();
    const { actions } = settings.get().cursor;
    if (word === 'export') {
      unwrapOrExit(await writeContent(files, object, formatActionFile(actions)));
      out(`Exported actions: ${actions.length}\n`);
      return exitCode.done;
    }
    const text = unwrapOrExit(await files.readText(object, maxFileBytes));
    const added = unwrapOrExit(parseActionFile(text), object);
    const merged = unwrapOrExit(mergeActions(actions, added));
    unwrapOrExit(settings.change({ cursor: { actions: merged } }));
    await settings.settled();
    const error = settings.problems().find(({ code }) => unstoredCodes.has(code));
    if (error !== undefined) unwrapOrExit({ ok: false, error });
    out(`Imported actions: ${added.length}\n`);
    return exitCode.done;
  },
);

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
