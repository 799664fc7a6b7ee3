import type { DeskHandlers } from '../../electron/desk/desk-handlers.ts';
import { Refusal } from '../../electron/ipc/refusal.ts';
import { chatChecks } from '../../shared/ipc/chat-checks.ts';
import { privacyChecks } from '../../shared/ipc/privacy-checks.ts';
import { settingsChecks } from '../../shared/ipc/settings-checks.ts';
import { soundChecks } from '../../shared/ipc/sound-checks.ts';
import { voicesChecks } from '../../shared/ipc/voices-checks.ts';
import { wireChecks } from '../../shared/ipc/wire-checks.ts';

const names = Object.keys({
  ...chatChecks,
  ...privacyChecks,
  ...settingsChecks,
  ...soundChecks,
  ...voicesChecks,
  ...wireChecks,
});

function refuse(): never {
  throw new Refusal('This core has no desks.');
}

/** A core without settings, voices, written conversations and all that. */
export const noDesks = Object.fromEntries(
  names.map((name) => [name, refuse]),
) as unknown as DeskHandlers;
