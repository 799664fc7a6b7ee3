import { app } from 'electron';
import { composeStart } from '../../core/compose-start.ts';
import { processOutput } from '../../core/process-output.ts';
import { hasGraphicsCard, leaveGraphicsCard } from './graphics-card.ts';
import { keepCrashes } from './keep-crashes.ts';
import { keepNetworkWithin } from './network-within.ts';
import { keepYoungGenerationSmall } from '../young-generation.ts';

/** A start that is under way. */
export interface BegunStart {
  /** How many before it came to no end. */
  readonly failedBefore: number;
  /** Whatever a start may die of is left out. */
  readonly safe: boolean;
  /** Parley is open, or is closed in order. */
  readonly done: () => void;
}

/** One may be chance, or a person who was in a hurry; two in a row rarely are. */
const failedStartsToBeSafe = 2;

/**
 * The first that is done, before the app is ready and before anything else is loaded. Nothing where
 * Parley runs already: its window is brought to the front.
 */
export function beginStart(): BegunStart | undefined {
  if (!app.requestSingleInstanceLock()) {
    processOutput.out('Parley is already running; its window was brought to the front.\n');
    app.exit(0);
    return undefined;
  }
  keepYoungGenerationSmall();
  keepNetworkWithin();
  const { marker, crashFolder } = composeStart();
  const failedBefore = marker.begin();
  const safe = failedBefore >= failedStartsToBeSafe || process.argv.includes('--safe-start');
  if (safe || !hasGraphicsCard()) leaveGraphicsCard();
  keepCrashes(crashFolder);
  return { failedBefore, safe, done: marker.done };
}
