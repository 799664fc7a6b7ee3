import { LongTalk, medianOf, serverKinds } from '../unit/electron/conversation/long-talk.ts';

const handOvers = 30;
/** Sessions of a server of the test's; they are handed over in their second half. */
const sessionSeconds = 30;
/** As fast as the embedded gateway is by itself, and as real servers are. */
const steps = [200, 1000];

/**
 * The promise: handovers add 700 ms of silence at most (median) to what the server itself takes to begin a session, and no
 * word of either side is lost. The baseline are the questions of the same talk that met no handover. The clock is a virtual
 * one, and between Parley and the embedded gateway there is no network: what is measured is what Parley itself adds.
 */
export function bench(): void {
  for (const stepMs of steps)
    for (const kind of serverKinds) {
      const talk = new LongTalk(kind, sessionSeconds, { stepMs });
      while (talk.handOvers < handOvers) talk.turn();
      process.stdout.write(`${kind.join(', ')}, a step of ${stepMs} ms\n${report(talk)}\n`);
    }
}

function report(talk: LongTalk): string {
  const { across, within } = talk.waits();
  const { said, missing, disorder } = talk.uplink();
  const { notHeard, cut } = talk.answers();
  const silences = talk.silences;
  const added = silences.map(({ silenceMs, serverMs }) => silenceMs - serverMs);
  const server = silences.map(({ serverMs }) => serverMs);
  const unanswered = talk.questions.filter(({ waitedMs }) => waitedMs === undefined).length;
  return [
    `${talk.handOvers} handovers in ${Math.round(talk.stage.clock.now() / 1000)} s`,
    `nothing sent, beyond the server's own start (${inWords(server)}): ${inWords(added)}`,
    `question to answer: ${inWords(across)} across a handover, ${inWords(within)} within a session`,
    `20 ms of speech: ${said} said, ${missing} missing at the gateway, ${disorder} samples out of order`,
    `${talk.questions.length} questions, ${unanswered} without an answer; answers not heard whole: ${notHeard.length}, cut: ${cut.length}`,
  ]
    .map((line) => `  ${line}\n`)
    .join('');
}

function inWords(values: readonly number[]): string {
  return `median ${medianOf(values)} ms, most ${Math.max(...values)}, of ${values.length}`;
}
