import { Worker } from 'node:worker_threads';
import { failure } from '../../../shared/errors/app-error.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { IndexCall, IndexPlace } from './index-calls.ts';

/** Where calls are answered, one after the other. */
export interface IndexLine {
  readonly call: (call: IndexCall) => Promise<Outcome<unknown>>;
  /** Ends it where nothing is lost by that, and says whether it has ended. */
  readonly rest: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/** To the thread. */
export interface IndexRequest {
  readonly id: number;
  readonly ask: IndexCall | 'rest' | 'close';
}

/** From the thread. */
export interface IndexAnswer {
  readonly id: number;
  readonly outcome: Outcome<unknown>;
}

/** The index in a thread of its own; `died` is told once where it ends by itself. */
export function indexInThread(place: IndexPlace, entry: string, died: () => void): IndexLine {
  const worker = new Worker(entry, { workerData: place });
  // It is no reason for a program to stay.
  worker.unref();
  const waiting = new Map<number, (outcome: Outcome<unknown>) => void>();
  let sent = 0;
  let over = false;
  const end = (detail: string): void => {
    if (!over) died();
    over = true;
    const lost = failure('historyIndexLost', {}, { detail });
    for (const answer of waiting.values()) answer(lost);
    waiting.clear();
  };
  worker.on('message', ({ id, outcome }: IndexAnswer) => {
    waiting.get(id)?.(outcome);
    waiting.delete(id);
  });
  worker.on('error', (error) => {
    end(String(error));
  });
  worker.on('exit', () => {
    end('its thread has ended');
  });
  const send = (ask: IndexRequest['ask']): Promise<Outcome<unknown>> => {
    if (over) return Promise.resolve(failure('historyIndexLost', {}, { detail: 'it has ended' }));
    sent += 1;
    const request: IndexRequest = { id: sent, ask };
    return new Promise((resolve) => {
      waiting.set(request.id, resolve);
      worker.postMessage(request, []);
    });
  };
  const terminate = async (): Promise<void> => {
    over = true;
    await worker.terminate();
  };
  return {
    call: send,
    rest: async () => {
      const asked = await send('rest');
      if (!asked.ok || asked.value !== true) return false;
      await terminate();
      return true;
    },
    close: async () => {
      await send('close');
      await terminate();
    },
  };
}
