import { appError } from '../../shared/errors/app-error.ts';
import type { ControllerHandlers } from '../../electron/controllers/controller-handlers.ts';
import { RequestRefusedError } from '../../electron/ipc/request-refused-error.ts';
import { chatChecks } from '../../shared/ipc/chat-checks.ts';
import { historyChecks } from '../../shared/ipc/history-checks.ts';
import { ownWordsChecks } from '../../shared/ipc/own-words-checks.ts';
import { privacyChecks, wireChecks } from '../../shared/ipc/app-checks.ts';
import { settingsChecks } from '../../shared/ipc/settings-checks.ts';
import { soundChecks } from '../../shared/ipc/sound-checks.ts';
import { voicesChecks } from '../../shared/ipc/voices-checks.ts';

const names = Object.keys({
  ...chatChecks,
  ...historyChecks,
  ...ownWordsChecks,
  ...privacyChecks,
  ...settingsChecks,
  ...soundChecks,
  ...voicesChecks,
  ...wireChecks,
});

function refuse(): never {
  throw new RequestRefusedError(appError('noWindows'));
}

/** A core without settings, voices, written conversations and all that. */
export const noControllers = Object.fromEntries(
  names.map((name) => [name, refuse]),
) as unknown as ControllerHandlers;
