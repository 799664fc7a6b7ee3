import type { SessionSettings } from '../../../shared/protocol/client-ask.ts';
import type { Parley } from '../../compose.ts';
import { recordSockets } from '../../recording/record-sockets.ts';
import type { Recorder } from '../../recording/recorder.ts';
import { shownAddress } from '../../../shared/endpoint.ts';
import { chooseView } from './choose-view.ts';
import type { Command, Terminal } from './command.ts';
import { conduct, exitCodeOf } from './conduct.ts';
import { exitCode } from './exit-code.ts';
import { longestInput, longestVoice, orStop, readPicture, readSound } from './given-files.ts';
import { openPlayout } from './playout.ts';
import type { Playout } from './playout.ts';
import { openPlayoutFiles } from './playout-files.ts';
import { socketsFor } from './sockets-for.ts';
import type { ShownEvent } from './shown-event.ts';
import { readTalkOptions, talkDetails, talkUsage } from './talk-options.ts';
import type { TalkOptions } from './talk-options.ts';
import { TalkShow } from './talk-show.ts';
import { openTalkSound, requireDevices } from './talk-sound.ts';

/** A conversation by microphone and speaker, or with files in their place. */
export const talk: Command = {
  name: 'talk',
  summary: 'talk by microphone and speaker, or with a recording',
  usage: talkUsage,
  details: talkDetails,
  run: async (args, terminal, parley) => {
    const options = readTalkOptions(args);
    await requireDevices(parley, options);
    const input =
      options.input === undefined
        ? undefined
        : await readSound(parley, options.input, longestInput);
    const frames: Uint8Array[] = [];
    for (const path of options.frames) frames.push(await readPicture(parley, path));
    const settings = await readSettings(parley, options);
    const sockets = await socketsFor(parley, options.connection.endpoint);
    const view = chooseView('talk', terminal, options.connection.json);
    const shared = { ...terminal, err: view.err };
    const outcome = { answered: false, troubled: false };
    const began = parley.clock.now();
    const tell = (event: ShownEvent): void => {
      outcome.answered ||= event.event === 'text' || event.event === 'audio';
      outcome.troubled ||= event.event === 'error';
      view.show(parley.clock.now() - began, event);
    };
    // The microphone is there before the show; until the session is live nobody needs it.
    const ear: { show: TalkShow | undefined } = { show: undefined };
    const { speaker } = await openTalkSound(parley, options, tell, (block) => {
      ear.show?.take(block);
    });
    const files = await openPlayoutFiles(parley, options);
    const tape = await openTape(parley, shared, options, settings);
    const live = speaker && { speaker, clock: parley.clock, stepMs: options.chunkMs };
    const playout = openPlayout(files, tell, live);
    const show = new TalkShow({ ...options, input, frames }, parley.clock, playout);
    ear.show = show;
    const ending = await conduct(parley, shared, {
      options: {
        mode: options.mode,
        settings,
        dialect: options.connection.dialect,
        chunkMs: options.chunkMs,
      },
      sockets: tape === undefined ? sockets : recordSockets(sockets, tape),
      clock: parley.clock,
      server: options.connection.endpoint?.url,
      hear: show.hear,
      begun: show.begun,
    });
    await heardOut(terminal, show, playout);
    const written = [await playout.finish(), await tape?.close()];
    view.end();
    const problem = written.find((outcome) => outcome?.ok === false);
    if (problem?.ok === false) {
      terminal.err(`${problem.problem}\n`);
      return exitCode.failed;
    }
    // Nothing but errors came back: that it ended in peace makes it no talk.
    const inVain = outcome.troubled && !outcome.answered;
    return inVain ? exitCode.failed : exitCodeOf(ending);
  },
};

/** Lets a speaker finish what it has; whoever presses Ctrl-C has heard enough. */
async function heardOut(terminal: Terminal, show: TalkShow, playout: Playout): Promise<void> {
  const stopListening = terminal.onInterrupt?.(playout.interrupt);
  await show.heardOut();
  stopListening?.();
}

/** What servers take for granted. */
const usualChunkMs = 1000;

async function readSettings(parley: Parley, options: TalkOptions): Promise<SessionSettings> {
  const { voice, ttsVoice } = options;
  const model = voice === undefined ? undefined : await readSound(parley, voice, longestVoice);
  const speech =
    ttsVoice === undefined ? undefined : await readSound(parley, ttsVoice, longestVoice);
  const voices = model === undefined && speech === undefined ? {} : { voice: { model, speech } };
  const chunks =
    options.chunkMs === usualChunkMs ? {} : { generation: { chunkMs: options.chunkMs } };
  return { instructions: options.system, ...chunks, ...voices };
}

async function openTape(
  parley: Parley,
  terminal: Terminal,
  { tape, mode, connection, chunkMs }: TalkOptions,
  settings: SessionSettings,
): Promise<Recorder | undefined> {
  if (tape === undefined) return undefined;
  const { voice: _voice, ...kept } = settings;
  const header = {
    mode,
    dialect: connection.dialect,
    chunkMs,
    settings: kept,
    endpoint:
      connection.endpoint === undefined ? 'embedded' : shownAddress(connection.endpoint.url),
  };
  return orStop(
    await parley.openTape(tape, header, (problem) => {
      terminal.err(`${problem}\n`);
    }),
  );
}
