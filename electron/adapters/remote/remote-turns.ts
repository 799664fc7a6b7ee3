import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { RemoteTurn } from '../../ports/remote-channel.ts';
import { waitWord } from './remote-listener.ts';
import type { TakenSocket } from './take-socket.ts';
import type { WatchName } from './watch-name.ts';

interface Deps {
  readonly path: string;
  /** Nothing where another Parley answers. */
  readonly take: () => Promise<TakenSocket | undefined>;
  readonly turned: (turn: RemoteTurn) => void;
  readonly watch: WatchName;
}

/** For one that answers instead: it is of an earlier version and does not know waiting. */
const askAgainMs = 2000;
/** For one that has gone before it could be waited for. */
const soonMs = 100;
/** How often it is looked whether the name still leads here, where the system does not tell: somebody may have deleted it. */
const checkEveryMs = 5000;
/** Where it does tell: a folder further up may have moved, and of that it says nothing. */
const checkWatchedEveryMs = 60_000;
/** One change is told several times, and in the midst of it. */
const settledMs = 50;

/** Takes requests, or waits for the other one to go and takes them then. */
export class RemoteTurns {
  readonly #deps: Deps;
  #taken: TakenSocket | undefined;
  #waiting: Socket | undefined;
  #timer: NodeJS.Timeout | undefined;
  #unwatch: (() => void) | undefined;
  #turn: RemoteTurn | undefined;
  #taking: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Rejects where it can neither take nor wait. */
  begin(): Promise<void> {
    return this.#take();
  }

  readonly close = async (): Promise<void> => {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#endWatch();
    this.#waiting?.destroy();
    await this.#taking;
    await this.#taken?.close();
    this.#taken = undefined;
  };

  async #take(): Promise<void> {
    const taken = await this.#deps.take();
    this.#taken = taken;
    this.#say(taken === undefined ? 'another' : 'ours');
    if (this.#closed) return;
    if (taken === undefined) this.#wait();
    else if (taken.holds !== undefined) await this.#keep(taken, taken.holds);
  }

  /** Watches first and looks then, so that nothing happens between the two. */
  async #keep(taken: TakenSocket, holds: () => Promise<boolean>): Promise<void> {
    this.#endWatch();
    const check = async (): Promise<void> => {
      if (this.#taken !== taken) return;
      if (await holds()) {
        this.#later(this.#unwatch === undefined ? checkEveryMs : checkWatchedEveryMs, check);
        return;
      }
      this.#endWatch();
      this.#taken = undefined;
      await taken.close();
      await this.#take();
    };
    this.#unwatch = this.#deps.watch(this.#deps.path, () => {
      this.#later(settledMs, check);
    });
    await check();
  }

  #endWatch(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
  }

  #wait(): void {
    let again = 0;
    const socket = connect(this.#deps.path);
    this.#waiting = socket;
    socket.on('error', () => (again = soonMs));
    socket.on('data', () => (again = askAgainMs));
    socket.on('close', () => {
      this.#waiting = undefined;
      this.#later(again, () => this.#take());
    });
    socket.write(`${waitWord}\n`);
    socket.unref();
  }

  /** What fails then is tried again: a folder may be there again, a disk may have room. */
  #later(milliseconds: number, run: () => Promise<void>): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // One after the other: what is told several times is done once.
      this.#taking = this.#taking.then(run).catch(() => {
        this.#later(checkEveryMs, () => this.#take());
      });
    }, milliseconds);
    this.#timer.unref();
  }

  #say(turn: RemoteTurn): void {
    if (turn === this.#turn) return;
    this.#turn = turn;
    this.#deps.turned(turn);
  }
}
