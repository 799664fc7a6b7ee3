/** Of a script of its own, because nearly nobody needs it. */
export const loadFirstRun = () =>
  import('../first-run/first-run.tsx').then(({ FirstRun }) => FirstRun);
