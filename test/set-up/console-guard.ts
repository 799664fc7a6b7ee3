const methods = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const;

export interface ConsoleGuard {
  /** Restores the console and returns what was written to it. */
  readonly end: () => readonly string[];
}

/** Captures console output of the code under test, which must not write any. */
export function watchConsole(): ConsoleGuard {
  const strays: string[] = [];
  const originals = methods.map((method) => [method, console[method]] as const);
  for (const method of methods) {
    console[method] = (...words: unknown[]) => {
      strays.push(`console.${method}: ${words.map(String).join(' ')}`);
    };
  }
  return {
    end: () => {
      for (const [method, original] of originals) console[method] = original;
      return strays;
    },
  };
}
