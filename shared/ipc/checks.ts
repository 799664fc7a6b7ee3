import { z } from 'zod';
import { partNames } from '../about.ts';
import { chatChecks } from './chat-checks.ts';
import { reportChecks } from './report-checks.ts';
import { exportChecks } from './export-checks.ts';
import { compareChecks } from './compare-checks.ts';
import { historyChecks } from './history-checks.ts';
import { ownWordsChecks } from './own-words-checks.ts';
import { linkChecks, logChecks, privacyChecks, windowChecks, wireChecks } from './app-checks.ts';
import { visionChecks } from './vision-checks.ts';
import { replayChecks } from './replay-checks.ts';
import { settingsChecks } from './settings-checks.ts';
import { soundChecks } from './sound-checks.ts';
import { talkChecks } from './talk-checks.ts';
import { updateChecks } from './update-checks.ts';
import { voicesChecks } from './voices-checks.ts';
import type { RequestInput, RequestName } from './contract.ts';

type Checks = { readonly [Name in RequestName]: z.ZodType<RequestInput<Name>> };

/** What arrives from a renderer is `unknown` until one of these has looked at it. */
export const requestChecks: Checks = {
  about: z.undefined(),
  checkParts: z.strictObject({ parts: z.array(z.enum(partNames)).min(1).max(partNames.length) }),
  ...visionChecks,
  ...talkChecks,
  ...replayChecks,
  ...compareChecks,
  ...chatChecks,
  ...historyChecks,
  ...ownWordsChecks,
  ...exportChecks,
  ...reportChecks,
  ...settingsChecks,
  ...voicesChecks,
  ...soundChecks,
  ...privacyChecks,
  ...logChecks,
  ...linkChecks,
  ...updateChecks,
  ...wireChecks,
  ...windowChecks,
};
