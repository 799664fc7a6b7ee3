import { appError } from '../../shared/errors/app-error.ts';
import type { ControllerHandlers } from '../../shared/ipc/handlers.ts';
import { historyChecks } from '../../shared/ipc/recordings-checks.ts';
import { RequestRefusedError } from '../../shared/ipc/reply.ts';
import {
  privacyChecks,
  settingsChecks,
  soundChecks,
  voicesChecks,
  wireChecks,
} from '../../shared/ipc/request-checks.ts';
import { chatChecks, ownWordsChecks } from '../../shared/ipc/talk-checks.ts';

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
