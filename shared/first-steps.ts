/** Whether whoever comes is led through the first steps. */
export type FirstSteps = 'due' | 'done';

/** The page's `meta` in which its host says so, because the page shows something before it can ask. */
export const firstStepsMetaName = 'parley-first-steps';

export function firstStepsOf(settings: {
  readonly firstRun: { readonly done: boolean };
}): FirstSteps {
  return settings.firstRun.done ? 'done' : 'due';
}
