/** Whether whoever comes is led through the first steps. */
export type FirstSteps = 'due' | 'done';

export function firstStepsOf(settings: {
  readonly firstRun: { readonly done: boolean };
}): FirstSteps {
  return settings.firstRun.done ? 'done' : 'due';
}
