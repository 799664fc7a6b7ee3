import { appError } from '../../../../shared/errors/app-error.ts';
import type { AppError } from '../../../../shared/errors/app-error.ts';
import { describeAppError } from '../../../../shared/i18n/en/describe-app-error.ts';
import type { SessionSettings } from '../../../../shared/protocol/client-event.ts';
import type { Parley } from '../../../core/compose-parley.ts';
import type { OpenTape } from '../../../recorder/recording/open-tape.ts';
import { hasInput } from '../../../recorder/replay/rerun/has-input.ts';
import { settingsOnTape } from '../../../recorder/replay/rerun/settings-on-tape.ts';
import type { CommandArguments } from '../options/command-spec.ts';
import { maxVoiceSeconds, readSound, unwrapOrExit } from '../options/command-files.ts';
import { readConnection } from '../options/connection-options.ts';
import type { ConnectionOptions } from '../options/connection-options.ts';
import { rerunCommandSpec } from '../options/rerun-command-options.ts';
import { resolveToken } from '../options/resolve-token.ts';
import type { ExitCode } from '../exit-code.ts';
import { CommandError, UsageError, exitCode } from '../exit-code.ts';
import { terminalCommand } from '../terminal-command.ts';
import { chooseView } from '../views/choose-view.ts';
import type { ViewEvent } from '../views/terminal-view.ts';
import { openAnswerFiles } from './answer-files.ts';
import { rerunChatTape } from './rerun-chat-tape.ts';
import { rerunTalkTape } from './rerun-talk-tape.ts';
import type { RerunParts } from './rerun-talk-tape.ts';
import { resolveServer, socketsFor } from './sockets-for.ts';
import type { ServerCore } from './sockets-for.ts';
import { TalkOutcome } from './talk-outcome.ts';
import { openTalkTape } from './talk-tape.ts';

type Given = CommandArguments<typeof rerunCommandSpec>['options'];

type RerunCore = Pick<
  Parley,
  | 'files'
  | 'clock'
  | 'loadTapeAt'
  | 'openTape'
  | 'openConversation'
  | 'openSession'
  | 'serverCodec'
  | 'carryOverMessages'
  | 'presetMessages'
> &
  ServerCore;

/** The person of a tape with another server, or with other settings. */
export const rerunCommand = terminalCommand(
  rerunCommandSpec,
  async (given, terminal, parley: RerunCore): Promise<ExitCode> => {
    const { word, options } = await resolveToken(given, terminal, parley);
    const connection = await resolveServer(parley, readConnection(options));
    const { tape, leave } = unwrapOrExit(await parley.loadTapeAt(word));
    const { mode } = tape.header;
    requireInput(tape, connection, parley);
    const plan = await planOf(tape, options, parley);
    const sockets = await socketsFor(parley, connection);
    const view = chooseView(mode === 'chat' ? 'chat' : 'talk', terminal, connection.json);
    const shared = { ...terminal, err: view.err };
    const outcome = new TalkOutcome();
    const began = parley.clock.now();
    const emit = (event: ViewEvent): void => {
      outcome.hear(event);
      view.show(parley.clock.now() - began, event);
    };
    const files = await openAnswerFiles(parley, options);
    let trouble: AppError | undefined;
    const into = { tape: options.tape, mode, connection, chunkMs: plan.chunkMs };
    const recorder = await openTalkTape(parley, into, plan.settings, (error) => {
      if (error.code !== 'tapeLowSpace') trouble ??= error;
      shared.err(`${describeAppError(error)}\n`);
    });
    const parts = { ...plan, tape, sockets, connection, recorder, files, emit };
    const ran =
      mode === 'chat'
        ? await rerunChatTape(parley, shared, parts)
        : await rerunTalkTape(parley, shared, mode, parts);
    const written = [await files.finish(), await recorder?.close()];
    view.end();
    sayWhatIsMissing(tape, terminal.err);
    await leave();
    const problem = written.find((one) => one?.ok === false);
    if (problem?.ok === false) {
      if (problem.error !== trouble) terminal.err(`${describeAppError(problem.error)}\n`);
      return exitCode.failed;
    }
    return outcome.exitCode(ran);
  },
);

/** What cannot be sent again is a wrong argument: nothing has been done yet. */
function requireInput(
  tape: OpenTape,
  { dialect }: ConnectionOptions,
  { serverCodec }: Pick<Parley, 'serverCodec'>,
): void {
  if (tape.header.mode === 'chat' && dialect === 'legacy')
    throw new UsageError('--dialect legacy has no chat; only the unified dialect has.');
  if (!hasInput(tape, serverCodec))
    throw new CommandError(describeAppError(appError('rerunOfNothing')), exitCode.wrongUsage);
}

/** What the tape's session was configured with, and what is to be another now. */
async function planOf(
  tape: OpenTape,
  options: Given,
  parley: Pick<Parley, 'files' | 'serverCodec' | 'presetMessages'>,
): Promise<Pick<RerunParts, 'settings' | 'chunkMs'>> {
  const { preset, system, voice, 'tts-voice': ttsVoice } = options;
  const chunkMs = options['chunk-ms'] ?? tape.header.chunkMs;
  const kept = settingsOnTape(tape, parley.serverCodec);
  const read = async (path: string | undefined) =>
    path === undefined ? undefined : readSound(parley, path, maxVoiceSeconds);
  const [model, speech] = [await read(voice), await read(ttsVoice)];
  const given =
    preset === undefined ? system : (await parley.presetMessages())[preset].instructions;
  const settings: SessionSettings = {
    ...kept,
    ...(given === undefined ? {} : { instructions: given }),
    ...((model ?? speech)
      ? { voice: { model: model ?? kept.voice?.model, speech: speech ?? kept.voice?.speech } }
      : {}),
    ...(options['chunk-ms'] === undefined
      ? {}
      : { generation: { ...kept.generation, chunkMs: options['chunk-ms'] } }),
  };
  return { settings, chunkMs };
}

function sayWhatIsMissing(tape: OpenTape, err: (text: string) => void): void {
  const count = tape.missing().length;
  const said = [
    ...(count > 0 ? [appError('tapeFilesMissing', { count })] : []),
    ...(tape.damage === undefined || tape.damage.code === 'tapeUnfinished' ? [] : [tape.damage]),
  ];
  for (const error of said) err(`${describeAppError(error)}\n`);
}
