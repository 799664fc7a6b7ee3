import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LongTalk, medianOf, serverKinds } from '../unit/electron/talk/long-talk.ts';

const handOvers = 30;
/** Session length of the test's server; Parley hands over in the second half. */
const sessionSeconds = 30;
/** Model steps in ms: of the embedded gateway, and of real servers. */
const steps = [200, 1000];

/**
 * The limits: a hand-over adds at most 700 ms of silence (median) to the server's own session start, loses no word of
 * either side, and an hour of five-minute sessions needs no more memory than the first five minutes. The baseline is the
 * questions of the same talk without a hand-over. The clock is virtual and there is no network, so only Parley's own time
 * counts.
 */
export function bench(): void {
  for (const stepMs of steps)
    for (const kind of serverKinds) {
      const talk = new LongTalk(kind, sessionSeconds, { stepMs });
      while (talk.handOvers < handOvers) talk.turn();
      say(`${kind.join(', ')}, a step of ${stepMs} ms`, report(talk));
    }
  say('an hour, unified and deployed, sessions of five minutes', anHour());
}

function anHour(): readonly string[] {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const usedMb = (): number => {
    collect();
    return process.memoryUsage().heapUsed / 1e6;
  };
  const talk = new LongTalk(['unified', 'deployed'], 300);
  const used: number[] = [];
  for (let minutes = 5; minutes <= 60; minutes += 5) {
    while (talk.harness.clock.now() < minutes * 60_000) talk.turn();
    used.push(usedMb());
  }
  const grown = used.map((mb) => (mb - (used[0] ?? 0)).toFixed(1)).join(', ');
  return [...report(talk), `MB more than in the first five minutes, every five minutes: ${grown}`];
}

function say(title: string, lines: readonly string[]): void {
  process.stdout.write(`${title}\n${lines.map((line) => `  ${line}\n`).join('')}\n`);
}

function report(talk: LongTalk): readonly string[] {
  const { across, within } = talk.waits();
  const { said, missing, disorder } = talk.uplink();
  const { notHeard, cut } = talk.answers();
  const { silences, questions } = talk;
  const added = silences.map(({ silenceMs, serverMs }) => silenceMs - serverMs);
  const server = silences.map(({ serverMs }) => serverMs);
  const unanswered = questions.filter(({ waitedMs }) => waitedMs === undefined).length;
  return [
    `${talk.handOvers} hand-overs in ${Math.round(talk.harness.clock.now() / 1000)} s; states: ${talk.phases.join(', ')}`,
    `nothing sent, beyond the server's own start (${formatTimes(server)}): ${formatTimes(added)}`,
    `question to answer: ${formatTimes(across)} across a hand-over, ${formatTimes(within)} within a session`,
    `20 ms of speech: ${said} said, ${missing} missing at the gateway or in the transcript's sound, ${disorder} samples out of order`,
    `${questions.length} questions, ${unanswered} without an answer; answers not heard whole: ${notHeard.length}, cut: ${cut.length}`,
  ];
}

function formatTimes(values: readonly number[]): string {
  return `median ${medianOf(values)} ms, maximum ${Math.max(...values)}, of ${values.length}`;
}
