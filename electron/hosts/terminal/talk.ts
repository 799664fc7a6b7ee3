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
import { openPlayoutFiles } from './playout-files.ts';
import { socketsFor } from './sockets-for.ts';
import { readTalkOptions, talkDetails, talkUsage } from './talk-options.ts';
import type { TalkOptions } from './talk-options.ts';
import { TalkShow } from './talk-show.ts';

/** A conversation with a file in the place of the person. */
export const talk: Command = {
  name: 'talk',
  summary: 'talk with a recording, and write down what is answered',
  usage: talkUsage,
  details: talkDetails,
  run: async (args, terminal, parley) => {
    const options = readTalkOptions(args);
    const input = await readSound(parley, options.input, longestInput);
    const frames: Uint8Array[] = [];
    for (const path of options.frames) frames.push(await readPicture(parley, path));
    const settings = await readSettings(parley, options);
    const sockets = await socketsFor(parley, options.connection.endpoint);
    const files = await openPlayoutFiles(parley, options);
    const view = chooseView('talk', terminal, options.connection.json);
    const shared = { ...terminal, err: view.err };
    const tape = await openTape(parley, shared, options, settings);

    const began = parley.clock.now();
    const playout = openPlayout(files, (event) => {
      view.show(parley.clock.now() - began, event);
    });
    const show = new TalkShow({ ...options, input, frames }, parley.clock, playout);
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
    const written = [await playout.finish(), await tape?.close()];
    view.end();
    const problem = written.find((outcome) => outcome?.ok === false);
    if (problem?.ok !== false) return exitCodeOf(ending);
    terminal.err(`${problem.problem}\n`);
    return exitCode.failed;
  },
};

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
