import type { AppError } from '../../../../shared/errors/app-error.ts';
import { describeAppError } from '../../../../shared/i18n/en/describe-app-error.ts';
import type { SessionSettings } from '../../../../shared/protocol/client-event.ts';
import { defaultBargeInOptions } from '../../../../shared/sound/barge-in-options.ts';
import { soundChoiceName } from '../../../../shared/sound/sound-choice-name.ts';
import type { ConversationOptions, RecordTalk } from '../../../conversation/conversation.ts';
import { recordSockets } from '../../../recorder/recording/record-sockets.ts';
import { openAnswerFiles } from './answer-files.ts';
import { chooseView } from '../views/choose-view.ts';
import { terminalCommand } from '../terminal-command.ts';
import { readTalkSettings } from './talk-settings.ts';
import { openTalkTape, recordOn } from './talk-tape.ts';
import { TalkOutcome } from './talk-outcome.ts';
import { exitCode } from '../exit-code.ts';
import { maxInputSeconds, readPicture, readSound } from '../options/command-files.ts';
import { runConversation } from './run-conversation.ts';
import { resolveServer, socketsFor } from './sockets-for.ts';
import type { ViewEvent } from '../views/terminal-view.ts';
import { readTalkCommandOptions, talkCommandSpec } from '../options/talk-command-options.ts';
import { resolveToken } from '../options/resolve-token.ts';
import type { TalkCommandOptions } from '../options/talk-command-options.ts';
import { AttendedTalk } from './attended-talk.ts';
import { ScriptedTalk } from './scripted-talk.ts';
import { openTalkSound, requireDevices } from './open-talk-sound.ts';

/** A conversation by microphone and speaker, or with files in their place. */
export const talkCommand = terminalCommand(talkCommandSpec, async (given, terminal, parley) => {
  const read = readTalkCommandOptions(await resolveToken(given, terminal, parley));
  const options = { ...read, connection: await resolveServer(parley, read.connection) };
  await requireDevices(parley, options);
  const input =
    options.input === undefined
      ? undefined
      : await readSound(parley, options.input, maxInputSeconds);
  const frames: Uint8Array[] = [];
  for (const path of options.frames) frames.push(await readPicture(parley, path));
  const settings = await readTalkSettings(parley, options);
  const sockets = await socketsFor(parley, options.connection);
  const view = chooseView('talk', terminal, options.connection.json);
  const shared = { ...terminal, err: view.err };
  const outcome = new TalkOutcome();
  const began = parley.clock.now();
  const emit = (event: ViewEvent): void => {
    outcome.hear(event);
    view.show(parley.clock.now() - began, event);
  };
  const script = new ScriptedTalk({ ...options, input, frames }, parley.clock);
  const { speaker, microphone } = await openTalkSound(parley, options, emit, script);
  const files = await openAnswerFiles(parley, options);
  let tapeTrouble: AppError | undefined;
  const tape = await openTalkTape(parley, options, settings, (error) => {
    // The first one is what it is closed with, and was said then.
    if (error.code !== 'tapeLowSpace') tapeTrouble ??= error;
    shared.err(`${describeAppError(error)}\n`);
  });
  // A file is no microphone that somebody forgot about: who gives one has it sent.
  const { startMuted } = parley.settings.get().talking;
  const attended = new AttendedTalk(parley.clock, emit);
  const { openKeys } = options.connection.json ? {} : terminal;
  const ending = await runConversation(parley, attended.at(shared), {
    options: {
      ...conversationOptions(options, settings),
      carryOver: await parley.carryOverMessages(),
      muted: options.muted || (options.microphone !== undefined && startMuted),
    },
    sockets: tape === undefined ? sockets : recordSockets(sockets, tape),
    server: options.connection.endpoint?.url,
    speaker,
    microphone,
    record: tape && { ...recordOn(tape), devices: devicesOf(options) },
    files,
    script: {
      hear: script.hear,
      begun: (talk) => {
        script.begun(talk);
        attended.begun(talk, openKeys);
      },
    },
    emit,
    warns: options.warnings,
  }).finally(attended.close);
  const written = [await files.finish(), await tape?.close()];
  view.end();
  const problem = written.find((outcome) => outcome?.ok === false);
  if (problem?.ok === false) {
    if (problem.error !== tapeTrouble) terminal.err(`${describeAppError(problem.error)}\n`);
    return exitCode.failed;
  }
  return outcome.exitCode(ending);
});

/**
 * A person who talks waits for a lost session to come again, and makes sounds over the answer; a
 * script learns what went wrong, and its file is sent to the end.
 */
function conversationOptions(
  { mode, connection, chunkMs, handsOver, yielding, microphone, speaker }: TalkCommandOptions,
  settings: SessionSettings,
): Omit<ConversationOptions, 'carryOver'> {
  const byVoice = microphone !== undefined;
  return {
    mode,
    settings,
    dialect: connection.dialect,
    chunkMs,
    talking: 'open',
    reconnects: byVoice,
    handsOver,
    yielding,
    bargeIn: { ...defaultBargeInOptions, enabled: byVoice && speaker !== undefined },
  };
}

function devicesOf({ microphone, speaker }: TalkCommandOptions): RecordTalk['devices'] {
  return {
    microphone: microphone && soundChoiceName(microphone, []),
    speaker: speaker && soundChoiceName(speaker, []),
  };
}
