import type { Clock } from '../ports/clock.ts';
import { secondsUntilWorker } from './waiting-time.ts';

const updateMs = 3000;

export interface Place {
  readonly position: number;
  readonly length: number;
  readonly etaSeconds: number;
}

/** Someone who wants a worker. */
export interface Guest {
  /** Waits for a worker that will never come. */
  readonly held: boolean;
  /** How long it keeps a worker at most, as far as one can tell. */
  readonly seconds: number;
  readonly assigned: () => void;
  readonly placed: (stage: 'joined' | 'moved', place: Place) => void;
  readonly turnedAway: () => void;
}

/** The workers and the queue before them. */
export interface Lobby {
  readonly join: (guest: Guest) => void;
  /** Gives the worker or the place in the queue back; harmless for one who has neither. */
  readonly leave: (guest: Guest) => void;
  readonly end: () => void;
}

export interface LobbyOptions {
  readonly workers: number;
  readonly queueLimit: number;
}

export function openLobby({ workers, queueLimit }: LobbyOptions, clock: Clock): Lobby {
  /** Who has a worker, and since when. */
  const active = new Map<Guest, number>();
  let waiting: readonly Guest[] = [];
  let stopUpdates: (() => void) | undefined;

  function placeOf(guest: Guest): Place {
    const position = waiting.indexOf(guest) + 1;
    const remaining = [...active].map(
      ([{ seconds }, since]) => seconds - (clock.now() - since) / 1000,
    );
    const ahead = waiting.slice(0, position - 1).map(({ seconds }) => seconds);
    const etaSeconds = secondsUntilWorker(workers, remaining, ahead);
    return { position, length: waiting.length, etaSeconds };
  }

  function assign(guest: Guest): void {
    active.set(guest, clock.now());
    guest.assigned();
  }

  function update(guests: readonly Guest[]): void {
    for (const guest of guests) if (waiting.includes(guest)) guest.placed('moved', placeOf(guest));
  }

  function keepUpdating(): void {
    stopUpdates ??= clock.after(updateMs, () => {
      stopUpdates = undefined;
      update(waiting);
      if (waiting.length > 0) keepUpdating();
    });
  }

  function stop(): void {
    stopUpdates?.();
    stopUpdates = undefined;
  }

  function leaveQueue(guest: Guest): void {
    const behind = waiting.slice(waiting.indexOf(guest) + 1);
    waiting = waiting.filter((other) => other !== guest);
    if (waiting.length === 0) stop();
    update(behind);
  }

  return {
    join: (guest) => {
      if (!guest.held && active.size < workers) {
        assign(guest);
      } else if (waiting.length >= queueLimit) {
        guest.turnedAway();
      } else {
        waiting = [...waiting, guest];
        guest.placed('joined', placeOf(guest));
        keepUpdating();
      }
    },
    leave: (guest) => {
      if (waiting.includes(guest)) {
        leaveQueue(guest);
      } else if (active.delete(guest)) {
        const next = waiting.find(({ held }) => !held);
        if (next === undefined) return;
        waiting = waiting.filter((other) => other !== next);
        const left = waiting;
        assign(next);
        if (left.length === 0) stop();
        update(left);
      }
    },
    end: () => {
      stop();
      waiting = [];
      active.clear();
    },
  };
}
