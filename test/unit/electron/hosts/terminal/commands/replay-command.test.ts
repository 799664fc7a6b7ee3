import { expect, it } from 'vitest';
import { defaultGatewayOptions } from '../../../../../../electron/gateway/gateway-options.ts';
import { openGateway } from '../../../../../../electron/gateway/gateway.ts';
import { inProcessSockets } from '../../../../../../electron/gateway/in-process-sockets.ts';
import { replayCommand } from '../../../../../../electron/hosts/terminal/commands/replay-command.ts';
import { recordSockets } from '../../../../../../electron/recordings/record/tape-recorder.ts';
import { createVirtualClock } from '../../../../../../electron/recordings/replay/virtual-clock.ts';
import { englishCarryOver } from '../../../../../../shared/i18n/en/prompts.ts';
import { FakeFiles } from '../../../../../fakes/fake-files.ts';
import { fakePictures } from '../../../../../fakes/fake-pictures.ts';
import { fakeServerFacts } from '../../../../../fakes/fake-server-facts.ts';
import { fakeSpeech } from '../../../../../fakes/fake-speech.ts';
import { fakeTerminal } from '../../../../../fakes/fake-terminal.ts';
import { seeded } from '../../../../../fakes/seeded.ts';
import { sessionCore } from '../../../../../fakes/session-core.ts';

/** Records a talk whose connection is lost during an answer, with another answer after that. */
async function recordTalk() {
  const clock = createVirtualClock();
  const files = new FakeFiles();
  files.putFolder('f');
  const servers = fakeServerFacts();
  const sessions = sessionCore({ clock, files, memory: servers });
  const gateway = openGateway(
    { ...defaultGatewayOptions, faults: [{ kind: 'drop', session: 1, atStep: 5 }] },
    {
      clock,
      random: seeded(7),
      codec: sessions.serverCodec,
      pictures: fakePictures(),
      speech: fakeSpeech,
    },
  );
  const options = { mode: 'audio', settings: {}, dialect: 'unified', chunkMs: 1000 } as const;
  const tape = await sessions.openTape('f/tape', { ...options, endpoint: 'x' }, () => undefined);
  if (!tape.ok) throw new Error(tape.error.code);
  const texts: string[] = [];
  let over = false;
  const sockets = recordSockets(inProcessSockets(gateway, clock), tape.value);
  const talk = sessions.openConversation(
    { ...options, talking: 'open', carryOver: englishCarryOver },
    {
      openSession: (how, emit) => sessions.openSession(how, { sockets, emit }),
      speaker: undefined,
      microphone: undefined,
      emit: (event) => {
        if (event.event === 'text') texts.push(`${event.turn} ${event.text}`);
        if (event.event === 'talk') over = event.state.phase === 'ended';
      },
    },
  );
  const hear = (): void => {
    const speaks = clock.now() % 9000 < 1500;
    talk.pushAudio(new Float32Array(1600).map((_, at) => (speaks ? Math.sin(at / 9) * 0.3 : 0)));
    if (clock.now() < 22_000) clock.after(100, hear);
    else talk.end();
  };
  clock.after(100, hear);
  await clock.run(() => over);
  const endedAt = clock.now();
  await talk.close();
  void gateway.end();
  await tape.value.close();
  return { parley: { ...sessions, files, clock }, texts, endedAt };
}

it('parley replay also plays the session after a lost one', async () => {
  const { parley, texts, endedAt } = await recordTalk();
  expect(texts.at(-1)).toMatch(/^[2-9] /);
  const { terminal, written } = fakeTerminal();
  const code = await replayCommand.run(
    ['f/tape', '--speed', 'max', '--json'],
    terminal,
    () => parley,
  );
  const lines = written.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const replayed = lines.filter(({ event }) => event === 'text');
  expect(replayed.map(({ turn, text }) => `${String(turn)} ${String(text)}`)).toEqual(texts);
  expect(lines.filter(({ event }) => event === 'closed')).toEqual([lines.at(-1)]);
  expect(written.err).toBe(
    'The session ended (connection_lost); the tape continues with the next one.\n',
  );
  // Lines have the times of the tape, even after the loss.
  expect(Math.abs(Number(lines.at(-1)?.['at']) - endedAt)).toBeLessThan(500);
  expect(code).toBe(0);
});

it('parley replay ends in order if Ctrl-C comes between two sessions', async () => {
  const { parley, texts } = await recordTalk();
  const { terminal, written, interrupt, interruptListeners } = fakeTerminal();
  const interrupted = {
    ...terminal,
    err: (text: string) => {
      if (text.includes('the tape continues')) queueMicrotask(interrupt);
    },
  };
  const code = await replayCommand.run(
    ['f/tape', '--speed', 'max', '--json', '--output', 'f/o.wav'],
    interrupted,
    () => parley,
  );
  expect(code).toBe(0);
  expect(JSON.parse(written.out.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
    event: 'closed',
    by: 'client',
  });
  expect(written.out.split('"event":"text"').length - 1).toBeLessThan(texts.length);
  expect(interruptListeners.size).toBe(0);
});
