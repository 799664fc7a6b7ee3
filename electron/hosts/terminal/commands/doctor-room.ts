import { harmlessJson, harmlessText } from '../../../../shared/harmless-text.ts';
import { englishErrorMessage } from '../../../../shared/i18n/en/describe-app-error.ts';
import { roomAdvice } from '../../../../shared/sound/room-judgement.ts';
import type { Parley } from '../../../core/compose-parley.ts';
import type { Outcome } from '../../../ports/outcome.ts';
import { judgeRoom } from '../../../sound/devices/judge-room.ts';
import type { RoomRecordings } from '../../../sound/devices/judge-room.ts';
import { roomName, writeRoom } from '../../../sound/devices/room-files.ts';
import { RoomTest } from '../../../sound/devices/room-test.ts';
import type { RoomTestDeps } from '../../../sound/devices/room-test.ts';
import { unwrapOrExit } from '../options/command-files.ts';
import type { Terminal } from '../terminal-command.ts';
import { roomReport, unjudgedSentence } from '../views/room-report.ts';
import { RoomPrompt } from './room-prompt.ts';

interface RoomOptions {
  readonly json: boolean;
  /** Nobody is to speak over the phrase. */
  readonly alone: boolean;
  /** Where the recording goes; with it what nobody can be asked about is kept. */
  readonly into: string | undefined;
}

interface RoomCore
  extends
    Pick<RoomTestDeps, 'openMicrophone' | 'openSpeaker' | 'clock'>,
    Pick<Parley, 'roomPhrase' | 'files'> {
  readonly settings: Pick<Parley['settings'], 'get'>;
}

/** What is known of a room, or why nothing is. */
interface Told {
  readonly sentences: readonly string[];
  readonly facts: object;
}

/**
 * Plays a phrase, listens to it, and says what the room makes of it and what a talk would do about that. Nothing is on
 * the disk before somebody wants it there.
 */
export async function tryRoom(
  parley: RoomCore,
  terminal: Terminal,
  options: RoomOptions,
): Promise<void> {
  if (options.into !== undefined) await prepareRoomFolder(parley, options.into);
  const phrase = await parley.roomPhrase();
  if (!phrase.ok) return tell(terminal, options, why(englishErrorMessage(phrase.error)));
  const { audio } = parley.settings.get();
  const test = new RoomTest({ ...parley, audio, phrase: phrase.value });
  const prompt = new RoomPrompt(options.json ? undefined : terminal.openLines);
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
    prompt.stop();
    void test.end();
  };
  const unlisten = terminal.onInterrupt?.(stop);
  try {
    const recorded = await record(test, terminal, { ...options, prompt, stop });
    await test.end();
    if (isStopped) return tell(terminal, options, stopped);
    if (!recorded.ok) return tell(terminal, options, why(englishErrorMessage(recorded.error)));
    const room = recorded.value;
    const judgement = await judgeRoom(room);
    if (typeof judgement === 'string')
      return tell(terminal, options, why(unjudgedSentence(judgement)));
    tell(terminal, options, {
      sentences: roomReport(judgement, room.over !== undefined),
      facts: { ...judgement, advice: roomAdvice(judgement) },
    });
    // Who ends the command at the question has not said yes.
    if (!(await isWanted(prompt, options)) || isStopped) return;
    const kept = unwrapOrExit(
      await writeRoom(parley.files, options.into ?? '.', roomName(new Date()), room),
    );
    tell(terminal, options, { sentences: kept.map((file) => `Kept: ${file}`), facts: { kept } });
  } finally {
    unlisten?.();
    await test.end();
  }
}

/** Makes a folder that somebody named where it is missing, so that what cannot be kept is known before anything is recorded. */
async function prepareRoomFolder({ files }: Pick<Parley, 'files'>, folder: string): Promise<void> {
  const made = await files.createFolder(folder);
  // Rooms are added to rooms.
  if (!made.ok && made.error.code !== 'folderNotEmpty') unwrapOrExit(made);
}

interface Attendance extends RoomOptions {
  readonly prompt: RoomPrompt;
  readonly stop: () => void;
}

/** The second time only where somebody sits there, who knows when to speak. */
async function record(
  test: RoomTest,
  { err }: Terminal,
  { alone: isAlone, prompt, stop }: Attendance,
): Promise<Outcome<RoomRecordings>> {
  err('Listening to the room; be quiet until the phrase has ended…\n');
  const quiet = await test.quiet();
  if (!quiet.ok) return quiet;
  err('Playing a phrase…\n');
  const alone = await test.phrase();
  if (!alone.ok) return alone;
  const answer = isAlone
    ? undefined
    : await prompt.ask('Now speak over it: press Enter, and speak while it plays. ');
  if (answer === 'stop') stop();
  const recordings = { quiet: quiet.value, alone: alone.value };
  if (answer === undefined) return { ok: true, value: recordings };
  const over = await test.phrase();
  return over.ok ? { ok: true, value: { ...recordings, over: over.value } } : over;
}

async function isWanted(prompt: RoomPrompt, { into }: RoomOptions): Promise<boolean> {
  const answer = await prompt.ask(
    `Keep the recording in ${harmlessText(into ?? 'this folder')}? y/N `,
  );
  if (answer === 'stop') return false;
  if (answer !== undefined) return /^\s*y(?:es)?\s*$/iu.test(answer.text);
  return into !== undefined;
}

const why = (reason: string): Told => ({ sentences: [reason], facts: { reason } });
const stopped = why('Stopped; nothing is kept.');

function tell({ out }: Terminal, { json }: RoomOptions, { sentences, facts }: Told): void {
  if (json) {
    out(`${harmlessJson({ event: 'room', ...facts })}\n`);
    return;
  }
  sentences.forEach((sentence, n) => {
    out(`${(n === 0 ? 'Room' : '').padEnd(12)}${harmlessText(sentence)}\n`);
  });
}
