import { describeAppError } from '../../shared/i18n/en/errors.ts';
import { createMemoryHandlers } from '../memory/memory-handlers.ts';
import { MemorySender } from '../memory/memory-sender.ts';
import { MemoryStore } from '../memory/memory-store.ts';
import type { Machine } from './machine.ts';
import type { Servers } from './servers.ts';

/** The sentences that Parley knows about the user. */
export class Memory {
  readonly store: MemoryStore;
  readonly sender: MemorySender;

  constructor(machine: Machine, { settings, texts }: Pick<Servers, 'settings' | 'texts'>) {
    const { stateFile, wallClock, random, notices, log, lifetime } = machine;
    this.store = new MemoryStore({
      file: stateFile('memory'),
      wallClock,
      random,
      changed: (view) => notices.post('memoryChanged', view),
      failed: (error) => log.write('warn', describeAppError(error)),
    });
    lifetime.add(this.store.settled, 'memory');
    this.sender = new MemorySender({
      store: this.store,
      settings: settings.get,
      messages: texts.memoryPrompts,
      sent: (sent) => notices.post('memorySent', sent),
    });
  }

  handlers() {
    return createMemoryHandlers(this.store);
  }
}
