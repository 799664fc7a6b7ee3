import type { DialectName } from '../../shared/protocol/dialect-and-mode.ts';

/**
 * Which dialect a server spoke last. Servers are known by scheme, host and path; what else stands in
 * an address may be a secret. It is no more than a guess to begin with, so that nothing here fails.
 */
export interface DialectMemory {
  readonly recall: (server: string) => DialectName | undefined;
  readonly remember: (server: string, dialect: DialectName) => void;
  /** Resolves once what was remembered is kept, as far as it can be. */
  readonly settled: () => Promise<void>;
}
