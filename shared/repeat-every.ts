interface Timer {
  readonly after: (milliseconds: number, run: () => void) => () => void;
}

/**
 * Runs again and again until it says `done`, or the returned function is called. A run that throws is
 * followed by the next all the same: sound goes on after a fault, and the fault comes up beside it.
 */
export function repeatEvery(
  timer: Timer,
  milliseconds: number,
  run: () => 'done' | undefined,
): () => void {
  let stopped = false;
  let cancel = timer.after(milliseconds, wake);
  function wake(): void {
    let result: 'done' | undefined;
    try {
      result = run();
    } finally {
      if (!stopped && result !== 'done') cancel = timer.after(milliseconds, wake);
    }
  }
  return () => {
    stopped = true;
    cancel();
  };
}
