import { indexWordSteps } from '../../electron/recordings/history/history-index.ts';

/** The indexed form of a text, computed in one go. */
export function indexWords(text: string): string {
  const steps = indexWordSteps(text);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
