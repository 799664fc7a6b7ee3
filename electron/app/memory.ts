import { describeAppError } from '../../shared/i18n/en/errors.ts';
import { createMemoryHandlers } from '../memory/memory-handlers.ts';
import { MemoryStore } from '../memory/memory-store.ts';
import type { Machine } from './machine.ts';

/** The sentences that Parley knows about the user. */
export class Memory {
  readonly store: MemoryStore;

  constructor({ stateFile, wallClock, random, notices, log, lifetime }: Machine) {
    this.store = new MemoryStore({
      file: stateFile('memory'),
      wallClock,
      random,
      changed: (view) => notices.post('memoryChanged', view),
      failed: (error) => log.write('warn', describeAppError(error)),
    });
    lifetime.add(this.store.settled, 'memory');
  }

  handlers() {
    return createMemoryHandlers(this.store);
  }
}
