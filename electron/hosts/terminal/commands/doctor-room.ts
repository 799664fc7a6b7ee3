import {
  type RoomTestFailure,
  roomAdvice,
  type RoomJudgement,
  roomSentences,
} from '../../../../shared/audio/sound-tests.ts';
import type { Outcome } from '../../../../shared/errors/app-error.ts';
import { toSafeJson, stripControlCharacters } from '../../../../shared/text.ts';
import { englishErrorMessage } from '../../../../shared/i18n/en/errors.ts';
import { englishRoomTest } from '../../../../shared/i18n/en/settings-panels.ts';
import { fillMessage } from '../../../../shared/i18n/messages.ts';
import {
  judgeRoom,
  roomName,
  type RoomRecordings,
  RoomTest,
  writeRoom,
} from '../../../audio/devices/room-test.ts';
import type { TestDevices } from '../../../audio/devices/sound-devices.ts';
import type { LineInput } from '../line-input.ts';
import { unwrapOrExit } from '../options/command-files.ts';
import type { Terminal, TerminalCore } from '../terminal-command.ts';

interface RoomOptions {
  readonly json: boolean;
  /** Whether to skip the test in which the user speaks over the phrase. */
  readonly alone: boolean;
  /** Folder for the recording. Without an interactive terminal it is kept there without a question. */
  readonly into: string | undefined;
}

interface RoomCore extends TestDevices, Pick<TerminalCore, 'roomPhrase' | 'files' | 'clock'> {
  readonly settings: Pick<TerminalCore['settings'], 'get'>;
}

interface RoomFindings {
  readonly sentences: readonly string[];
  readonly facts: object;
}

/**
 * Plays a phrase, records it, and reports how the room affects a talk. Stores no sound unless the user wants the
 * recording.
 */
export async function runRoomTest(
  parley: RoomCore,
  terminal: Terminal,
  options: RoomOptions,
): Promise<void> {
  if (options.into !== undefined) await prepareRoomFolder(parley, options.into);
  const phrase = await parley.roomPhrase();
  if (!phrase.ok)
    return printRoomFindings(terminal, options, withoutResult(englishErrorMessage(phrase.error)));
  const { audio } = parley.settings.get();
  const test = new RoomTest({
    devices: parley,
    clock: parley.clock,
    audio,
    phrase: phrase.value,
  });
  const prompt = new RoomPrompt(options.json ? undefined : terminal.openLines);
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
    prompt.stop();
    void test.end();
  };
  const stopListening = terminal.onInterrupt?.(stop);
  try {
    const recorded = await record(test, terminal, { ...options, prompt, stop });
    await test.end();
    if (isStopped) return printRoomFindings(terminal, options, stopped);
    if (!recorded.ok)
      return printRoomFindings(
        terminal,
        options,
        withoutResult(englishErrorMessage(recorded.error)),
      );
    const room = recorded.value;
    const judgement = await judgeRoom(room);
    if (typeof judgement === 'string')
      return printRoomFindings(terminal, options, withoutResult(unjudgedSentence(judgement)));
    printRoomFindings(terminal, options, {
      sentences: roomReport(judgement, room.over !== undefined),
      facts: { ...judgement, advice: roomAdvice(judgement) },
    });
    // Ctrl-C at the question means no.
    if (!(await wantsRecording(prompt, options)) || isStopped) return;
    const paths = unwrapOrExit(
      await writeRoom(parley.files, options.into ?? '.', roomName(new Date()), room),
    );
    printRoomFindings(terminal, options, {
      sentences: paths.map((path) => `Saved: ${path}`),
      facts: { kept: paths },
    });
  } finally {
    stopListening?.();
    prompt.stop();
    await test.end();
  }
}

/** Creates the named folder before recording, so that a failure is known early. */
async function prepareRoomFolder(
  { files }: Pick<TerminalCore, 'files'>,
  folder: string,
): Promise<void> {
  const made = await files.createFolder(folder);
  // The folder may hold recordings of other rooms.
  if (!made.ok && made.error.code !== 'folderNotEmpty') unwrapOrExit(made);
}

interface RecordOptions extends RoomOptions {
  readonly prompt: RoomPrompt;
  readonly stop: () => void;
}

/** Runs the second test only if a user is there who knows when to speak. */
function record(
  test: RoomTest,
  { err }: Terminal,
  { alone, prompt, stop }: RecordOptions,
): Promise<Outcome<RoomRecordings>> {
  err('Listening to the room; stay quiet until the phrase ends…\n');
  const ready = async (): Promise<boolean> => {
    if (alone) return false;
    const answer = await prompt.ask(
      'Now speak over the phrase: press Enter, and speak while it plays. ',
    );
    if (answer === 'stop') stop();
    return answer !== undefined;
  };
  return test.run(({ step }) => {
    if (step === 'alone') err('Playing a phrase…\n');
  }, ready);
}

async function wantsRecording(prompt: RoomPrompt, { into }: RoomOptions): Promise<boolean> {
  const answer = await prompt.ask(
    `Keep the recording in ${stripControlCharacters(into ?? 'this folder')}? y/N `,
  );
  if (answer === 'stop') return false;
  if (answer !== undefined) return /^\s*y(?:es)?\s*$/iu.test(answer.text);
  return into !== undefined;
}

const withoutResult = (reason: string): RoomFindings => ({
  sentences: [reason],
  facts: { reason },
});
const stopped = withoutResult('Stopped; the recording is discarded.');

function printRoomFindings(
  terminal: Terminal,
  { json }: RoomOptions,
  { sentences, facts }: RoomFindings,
): void {
  if (json) printFacts(terminal, 'room', facts);
  else
    printFinding(
      terminal,
      'Room',
      ...sentences.map((sentence) => stripControlCharacters(sentence)),
    );
}

const titleWidth = 12;

/** Prints a title and its findings in two columns. */
export function printFinding({ out }: Terminal, title: string, ...sentences: string[]): void {
  sentences.forEach((sentence, index) => {
    out(`${(index === 0 ? title : '').padEnd(titleWidth)}${sentence}\n`);
  });
}

export function printFacts({ out }: Terminal, event: string, facts: object): void {
  out(`${toSafeJson({ event, ...facts })}\n`);
}

type Answer = { readonly text: string } | 'stop' | undefined;

/** Asks the user one question at a time. Between questions Ctrl-C goes to the terminal's handler. */
class RoomPrompt {
  readonly #openLines: Terminal['openLines'];
  #lines: LineInput | undefined;
  #isStopped = false;

  constructor(openLines: Terminal['openLines']) {
    this.#openLines = openLines;
  }

  async ask(question: string): Promise<Answer> {
    const lines = this.#isStopped ? undefined : this.#openLines?.(() => undefined);
    if (lines === undefined) return undefined;
    this.#lines = lines;
    try {
      if (!lines.typed) return undefined;
      const line = await lines.next(question);
      return line.kind === 'line' ? { text: line.text } : 'stop';
    } finally {
      lines.close();
      this.#lines = undefined;
    }
  }

  /** Ends a pending question. */
  stop(): void {
    this.#isStopped = true;
    this.#lines?.close();
  }
}

const texts = englishRoomTest.judged;

/** Tells why a room could not be judged. The system grants the microphone to the terminal, so the sentence names that. */
function unjudgedSentence(reason: RoomTestFailure): string {
  return fillMessage(texts[reason], { who: 'this terminal' });
}

export function roomReport(room: RoomJudgement, wasAsked: boolean): readonly string[] {
  const sentences = roomSentences(room, wasAsked, texts).map(({ words, measurements }) =>
    measurements === undefined ? words : `${words} (${measurements}).`,
  );
  return [...sentences, ...roomAdvice(room).map((advice) => texts.advice[advice])];
}
