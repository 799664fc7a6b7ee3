import { setTimeout as wait } from 'node:timers/promises';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createdTimeoutMs,
  firstEventTimeoutMs,
  openTimeoutMs,
} from '../../electron/talk/session/session-timing.ts';
import { inputRate } from '../../shared/protocol/realtime-api.ts';
import type { HistoryPage } from '../../shared/recordings/history-item.ts';
import type { OpenedTalkRecord, TalkRecord } from '../../shared/recordings/talk-record.ts';
import type { TalkView } from '../../shared/talk/talk-view.ts';
import { instant } from '../contract/sound/player.ts';
import { say } from '../contract/sound/run-tool.ts';
import type { SoundServer } from '../contract/sound/sound-server.ts';
import { sentence } from '../scenes/talk-harness.ts';
import { tapeFiles } from '../../electron/recordings/tape/tape.ts';
import { isJsonObject, parseJsonObject } from '../../shared/protocol/json.ts';

/** A running Parley, in any process, and its requests. */
export interface ParleyUnderTest {
  readonly ask: (name: string, input?: unknown) => Promise<ParleyReply>;
  readonly view: () => Promise<TalkView | undefined>;
  readonly megabytes: number;
}

export interface ParleyReply {
  readonly ok: boolean;
  readonly value?: unknown;
}

/** The Parley under test, and the network, sound server and disk around it. */
interface Environment {
  readonly parley: ParleyUnderTest;
  readonly line: { readonly heal: () => void };
  readonly sound: Pick<SoundServer, 'environment' | 'streams'>;
  readonly disk: { readonly empty: () => void } | undefined;
  /** Changes the wall clock during the checked talk, if possible. */
  readonly setCalendar?: (() => void) | undefined;
}

/** Time for Parley to recover after the faults end; reconnects back off. */
const timeoutMs = 40_000;
/** A corrupted frame is lost, so a session that is opening waits for its timeouts. */
const openingTimeoutMs = openTimeoutMs + firstEventTimeoutMs + createdTimeoutMs + 5000;
/** All streams must close within this time after a talk. */
const streamsCloseWithinMs = 8000;

/** Checks that Parley works after the faults have ended. */
export class RecoveryCheck {
  readonly #environment: Environment;
  readonly #fail: (sentence: string) => void;
  #known: ReadonlySet<string> = new Set();
  #continuing: ReadonlySet<string> = new Set();
  readonly #begunAt = instant();
  #earlyMegabytes: number | undefined;
  checks = 0;
  answered = 0;

  constructor(environment: Environment, fail: (sentence: string) => void) {
    this.#environment = environment;
    this.#fail = fail;
  }

  get entries(): number {
    return this.#known.size;
  }

  async run(): Promise<void> {
    const { parley, line, sound, disk, setCalendar } = this.#environment;
    line.heal();
    disk?.empty();
    this.checks += 1;
    await parley.ask('setMuted', { muted: false });
    await parley.ask('setPaused', { paused: false });
    await this.#until(
      'the talk continues or has ended',
      ({ state }) => ['live', 'ended', 'idle'].includes(state.phase),
      openingTimeoutMs,
    );
    await parley.ask('endTalk');
    await this.#until('the talk is over', isOver);
    // Earlier captions belong to another talk.
    await this.#untilStarted();
    setCalendar?.();
    await say(sentence('hear'), inputRate, sound.environment);
    let lost = false;
    const heard = await this.#until('speech is answered', ({ state, captions }) => {
      lost ||= state.phase === 'reconnecting';
      return captions.some((caption) => caption.heard > 0);
    });
    if (lost && setCalendar !== undefined)
      this.#fail('a talk reconnected although only the calendar clock was set');
    if (heard) this.answered += 1;
    await parley.ask('endTalk');
    await this.#until('the talk is over', isOver);
    await this.#checkStreams();
    await this.#checkHistory();
    this.#checkMemory();
  }

  async #untilStarted(): Promise<void> {
    const { parley } = this.#environment;
    const until = instant() + timeoutMs;
    for (;;) {
      await parley.ask('startTalk', { mode: 'audio' });
      const live = await this.#reaches(({ state }) => state.phase === 'live', 5000);
      if (live) return;
      if (instant() > until) {
        this.#fail(`no talk can start: ${JSON.stringify((await parley.view())?.state)}`);
        return;
      }
    }
  }

  /** Checks with the sound server that no stream is open. */
  async #checkStreams(): Promise<void> {
    const until = instant() + streamsCloseWithinMs;
    let streams = await this.#environment.sound.streams();
    while (streams.some((count) => count > 0) && instant() < until) {
      await wait(250);
      streams = await this.#environment.sound.streams();
    }
    const [playing, listening] = streams;
    if (listening > 0) this.#fail('a microphone is open after the talk');
    if (playing > 0) this.#fail('a speaker is open after the talk');
  }

  async #checkHistory(): Promise<void> {
    const { parley } = this.#environment;
    const listed = await this.#completeHistory();
    if (listed === undefined) return;
    const { entries } = listed;
    const ids = entries.map(({ kind, id }) => `${kind} ${id}`);
    const shown = new Set(ids);
    if (shown.size < ids.length) this.#fail('the history lists an entry twice');
    for (const known of this.#known) {
      if (shown.has(known)) continue;
      const [kind, id] = known.split(' ');
      const there = kind === 'talk' && (await parley.ask('talkRecord', { id })).ok;
      this.#fail(`an entry of the history is lost: ${known}${there ? ', which opens' : ''}`);
    }
    const continuing = entries.filter((item) => item.kind === 'talk' && item.ending === 'running');
    for (const { id } of continuing)
      if (this.#continuing.has(id)) this.#fail(`an ended talk continues in the history: ${id}`);
    this.#continuing = new Set(continuing.map(({ id }) => id));
    for (const { kind, id } of entries) {
      if (kind !== 'talk' || this.#known.has(`talk ${id}`)) continue;
      const opened = await parley.ask('talkRecord', { id });
      if (!opened.ok) {
        this.#fail(`a stored talk does not open: ${JSON.stringify(opened)}`);
        continue;
      }
      const { record } = opened.value as OpenedTalkRecord;
      const wrong = findWrongTimes(record, instant() - this.#begunAt);
      if (wrong !== undefined) this.#fail(`the talk ${id} ${wrong}`);
    }
    this.#known = shown;
  }

  /** Requests the list again while the index grows, as the page does. */
  async #completeHistory(): Promise<HistoryPage | undefined> {
    const until = instant() + timeoutMs;
    for (;;) {
      const part = { skip: 0, count: 200, filter: {} };
      const listed = await this.#environment.parley.ask('history', part);
      const page = listed.ok ? (listed.value as HistoryPage) : undefined;
      if (page?.complete === true) return page;
      if (page === undefined || instant() > until) {
        this.#fail('the history cannot be listed');
        return undefined;
      }
      await wait(100);
    }
  }

  #checkMemory(): void {
    const { megabytes } = this.#environment.parley;
    // Lazily loaded code is in memory by the second check.
    if (this.checks === 2) this.#earlyMegabytes = megabytes;
    const before = this.#earlyMegabytes;
    if (before !== undefined && megabytes > 1.6 * before + 40)
      this.#fail(`memory grew from ${Math.round(before)} MB to ${Math.round(megabytes)} MB`);
  }

  async #until(
    what: string,
    isIt: (view: TalkView) => boolean,
    withinMs = timeoutMs,
  ): Promise<boolean> {
    if (await this.#reaches(isIt, withinMs)) return true;
    const view = await this.#environment.parley.view();
    this.#fail(`timed out waiting until ${what}: ${JSON.stringify(view?.state)}`);
    return false;
  }

  async #reaches(isIt: (view: TalkView) => boolean, ms: number): Promise<boolean> {
    const until = instant() + ms;
    for (;;) {
      const view = await this.#environment.parley.view();
      if (view !== undefined && isIt(view)) return true;
      if (instant() > until) return false;
      await wait(100);
    }
  }
}

function isOver({ state }: TalkView): boolean {
  return state.phase === 'ended' || state.phase === 'idle';
}

/** Finds wrong times in a talk record, given its maximum duration. */
function findWrongTimes(record: TalkRecord, maxMs: number): string | undefined {
  const { begunAt, savedAt, events, turns } = record;
  const lasted = savedAt - begunAt;
  if (lasted < 0 || lasted > maxMs) return `lasted ${lasted} ms`;
  const stray = [...events, ...turns].find(({ at }) => at < 0 || at > maxMs);
  if (stray !== undefined) return `has something at ${stray.at} ms`;
  return isInOrder(events.map(({ at }) => at)) ? undefined : 'has its events out of order';
}

/** Finds wrong times in every tape of a folder. A tape may end within a line after a kill. */
export function findWrongTapes(folder: string, maxMs: number): readonly string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.flatMap((name) => {
    const path = join(folder, name, tapeFiles.lines);
    if (!existsSync(path)) return [];
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
    const wrong = wrongTape(lines.map(parseJsonObject), maxMs);
    return wrong === undefined ? [] : [`the tape ${name} ${wrong}`];
  });
}

function wrongTape(lines: readonly unknown[], maxMs: number): string | undefined {
  const [head] = lines;
  const recordedAt = isJsonObject(head) ? head['recordedAt'] : undefined;
  if (typeof recordedAt !== 'string' || Number.isNaN(Date.parse(recordedAt)))
    return 'has no time of its recording';
  const times = lines.flatMap((line) =>
    isJsonObject(line) && typeof line['at'] === 'number' ? [line['at']] : [],
  );
  const stray = times.find((at) => at < 0 || at > maxMs);
  if (stray !== undefined) return `has something at ${stray} ms`;
  return isInOrder(times) ? undefined : 'has its lines out of order';
}

function isInOrder(times: readonly number[]): boolean {
  return times.every((at, index) => index === 0 || at >= (times[index - 1] ?? 0));
}
