const methods = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const;

export interface ConsoleGuard {
  /** Gives the console back and returns what was written to it meanwhile. */
  readonly end: () => readonly string[];
}

/** Catches what the code under test writes to the console: nobody would ever read it there. */
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
