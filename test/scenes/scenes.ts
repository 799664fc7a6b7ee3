import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { instant } from '../contract/sound/player.ts';
import {
  waitForAnswerStart,
  expectAnswer,
  expectCut,
  waitForQuiet,
  isFullyHeard,
  soonMs,
  appendsSince,
  loudest,
  sentSince,
} from './talk-checks.ts';
import { sentence, type TalkHarness } from './talk-harness.ts';

export async function start(harness: TalkHarness): Promise<void> {
  const first = harness.ask('startTalk', { mode: 'audio' });
  const second = await harness.ask('startTalk', { mode: 'audio' });
  expect(await first).toMatchObject({ ok: true, value: { mode: 'audio', endpoint: 'Studio' } });
  // The first talk may already be live when the second is requested.
  const refusal = /"talk(?:StartingAlready|GoingOn)"/;
  expect(second).toMatchObject({ ok: false });
  expect(JSON.stringify(second)).toMatch(refusal);
  const view = await harness.until('the talk is live', ({ state, devices }) => {
    const { microphone, speaker } = devices;
    return state.phase === 'live' && microphone.kind === 'using' && speaker.kind === 'using';
  });
  expect(view.controls).toMatchObject({ talking: 'open', transmitting: true });
  // The first second of a new stream is unreliable.
  await wait(1500);
}

export async function interruptAnswer(harness: TalkHarness): Promise<void> {
  const turn = await waitForAnswerStart(harness);
  const since = instant();
  // Waits for more sound, so that the interrupt has something to cut.
  await harness.eventually(
    'more sound has arrived',
    () => harness.connection.outputsSince(since).length > 0,
  );
  const at = instant();
  await harness.do('interruptTalk');
  await harness.eventually('the server learns of it', () =>
    harness.connection.appends.some(
      ({ at: when, event }) => when >= at && event.forceListen === true,
    ),
  );
  expect(await expectCut(harness, turn)).toBeGreaterThan(0);
  await wait(soonMs + 1000);
  expect(harness.monitor.lastSound(at) - at).toBeLessThan(soonMs);
  await expectAnswer(harness);
}

/** Speaks over the answer until the model yields; then it is silent, and answers again. */
export async function speakOverAnswer(harness: TalkHarness): Promise<void> {
  const turn = await waitForAnswerStart(harness);
  const since = instant();
  const over = harness.speak(sentence('hello'));
  await expectCut(harness, turn);
  const quietAt = instant();
  await over;
  expect(harness.noticesOf('floor', since)).toContain('both');
  expect(harness.monitor.lastSound(0) - quietAt).toBeLessThan(soonMs);
  await harness.until('there is another answer', ({ captions }) => {
    const last = captions.at(-1);
    return last !== undefined && last.turn > turn && isFullyHeard(last);
  });
  await waitForQuiet(harness);
}

/** Stops the sound server, so that microphone and speaker disappear, and starts it again. */
export async function unplugDevices(harness: TalkHarness): Promise<void> {
  await harness.sound.kill();
  const gone = await harness.until('both devices are lost', ({ devices }) => {
    return devices.microphone.kind === 'lost' && devices.speaker.kind === 'lost';
  });
  expect(gone.state.phase).toBe('live');
  const lost = instant();
  await harness.eventually('collected sound is sent', () => appendsSince(harness, lost) >= 1);
  const since = instant();
  await harness.eventually(
    'the server receives two appends',
    () => appendsSince(harness, since) >= 2,
  );
  // The output of the filters decays to less than 24 bits can show.
  expect(loudest(sentSince(harness, since))).toBeLessThan(2 ** -24);
  await harness.sound.start();
  harness.monitor.listen();
  const back = await harness.until('both devices are used again', ({ devices }) => {
    return devices.microphone.kind === 'using' && devices.speaker.kind === 'using';
  });
  expect(back.state.phase).toBe('live');
  await wait(1500);
  await expectAnswer(harness);
}

/** Kills the gateway in the middle of an answer; the next one receives the transcript. */
export async function loseNetwork(harness: TalkHarness, serve: () => Promise<void>): Promise<void> {
  const { captions } = await harness.view();
  const heard = captions.findLast(isFullyHeard)?.text.trim() ?? 'nothing';
  await waitForAnswerStart(harness);
  const at = instant();
  await harness.killGateway();
  const lost = await harness.until(
    'Parley reconnects',
    ({ state }) => state.phase === 'reconnecting',
  );
  expect(lost.state).toMatchObject({ error: { code: expect.stringMatching(/^\w+$/) as unknown } });
  expect(lost.captions.slice(0, captions.length)).toEqual(captions);
  await serve();
  await harness.until('it is live again', ({ state }) => state.phase === 'live');
  expect(harness.noticesOf('talkState', at).map(({ phase }) => phase)).not.toContain('ended');
  expect(harness.connection.instructions).toContain(heard);
  await harness.until('received captions are settled', (view) => {
    return view.captions.every(({ settled }) => settled);
  });
}

/** The server ends the session at its time limit, and the user continues. */
export async function continueAfterLimit(
  harness: TalkHarness,
  serve: () => Promise<void>,
): Promise<void> {
  await expectAnswer(harness);
  const { captions } = await harness.view();
  const over = await harness.until('the time is over', ({ state }) => state.phase === 'ended');
  expect(over.state).toMatchObject({ ending: { by: 'server' }, offer: 'continue' });
  expect(over.captions).toEqual(captions);
  await harness.eventually(
    'microphone and speaker are closed',
    async () => !(await isOnAir(harness)),
  );
  await serve();
  await harness.do('continueTalk', { carry: 'transcript' });
  await harness.until('it is live again', ({ state }) => state.phase === 'live');
  expect(harness.connection.instructions).toContain(captions.findLast(isFullyHeard)?.text.trim());
  await wait(1000);
  await expectAnswer(harness);
}

/** Whether any stream is open besides the test's monitor. */
async function isOnAir(harness: TalkHarness): Promise<boolean> {
  const [playing, listening] = await harness.sound.streams();
  return playing > 0 || listening > 1;
}

export async function endTalk(harness: TalkHarness): Promise<void> {
  await waitForAnswerStart(harness);
  const at = instant();
  await harness.do('endTalk');
  const over = await harness.until('it has ended', ({ state }) => state.phase === 'ended');
  expect(over.state).toMatchObject({ ending: { by: 'client', orderly: true } });
  await harness.eventually(
    'microphone and speaker are closed',
    async () => !(await isOnAir(harness)),
  );
  expect(harness.monitor.lastSound(at) - at).toBeLessThan(soonMs);
  // Ending a talk that has ended is not an error.
  await harness.do('endTalk');
  await start(harness);
  expect((await harness.view()).captions).toEqual([]);
  await harness.do('endTalk');
  await harness.until('it has ended again', ({ state }) => state.phase === 'ended');
}

export type Scene = readonly [name: string, run: (harness: TalkHarness) => Promise<unknown>];

/** Runs scenes with one harness in order, and stops after a failure. */
export class SceneRunner {
  readonly #harness: TalkHarness;
  readonly #results = new Map<string, Promise<void>>();
  #last: Promise<void> = Promise.resolve();
  #failed: string | undefined;

  constructor(harness: TalkHarness) {
    this.#harness = harness;
  }

  begin(open: (harness: TalkHarness) => Promise<unknown>, scenes: readonly Scene[]): void {
    this.#then('opening', open);
    for (const [name, run] of scenes) this.#then(name, run);
  }

  /** Resolves after the scene, and rejects if it failed. */
  async result(name: string): Promise<void> {
    await this.#results.get(name);
  }

  async end(): Promise<void> {
    await this.#last.catch(() => undefined);
    await this.#harness.end();
  }

  #then(name: string, run: Scene[1]): void {
    const before = this.#last;
    const runScene = async (): Promise<void> => {
      await before.catch(() => undefined);
      if (this.#failed !== undefined) {
        throw new Error(`It was not run, because "${this.#failed}" failed.`);
      }
      try {
        await run(this.#harness);
      } catch (problem) {
        this.#failed = name;
        throw problem;
      }
    };
    const result = runScene();
    // The caller of `result` gets the error.
    result.catch(() => undefined);
    this.#results.set(name, result);
    this.#last = result;
  }
}
