import type { ExitCode } from '../exit-code.ts';
import { UsageError, exitCode } from '../exit-code.ts';
import type { LineInput } from '../line-input.ts';
import { englishErrorMessage } from '../../../../shared/i18n/en/describe-app-error.ts';
import { MessageLines } from './message-lines.ts';
import type { WrittenTurns } from './written-turns.ts';

const prompt = '> ';
const promptOfMore = '… ';

interface Spoken {
  readonly say: (sentence: string) => void;
  /** What is said to a script that asked nothing. */
  readonly nothingAsked: string;
}

/**
 * Reads messages and has them answered until there are no more. At a prompt Ctrl-C takes back what stands
 * there, and twice in a row it ends the conversation; the first of them may have stopped an answer.
 */
export async function converseInWriting(
  lines: LineInput,
  turns: Pick<WrittenTurns, 'take' | 'exitCode'>,
  { say, nothingAsked }: Spoken,
): Promise<ExitCode> {
  const message = new MessageLines();
  let leaving = false;
  let asked = false;
  for (;;) {
    const line = await lines.next(message.begun ? promptOfMore : prompt);
    switch (line.kind) {
      case 'line': {
        leaving = false;
        asked ||= line.text.trim() !== '';
        const text = message.add(line.text, line.goesOn);
        if (text === undefined) break;
        const taken = await turns.take(text);
        if (taken === 'over') return endOf(lines, turns);
        leaving = taken === 'stopped';
        break;
      }
      case 'interrupted': {
        const cleared = line.cleared || message.begun;
        message.take();
        if (leaving && !cleared) return endOf(lines, turns);
        leaving = !cleared;
        if (leaving) say('Ctrl-C again, or Ctrl-D, ends the conversation.');
        break;
      }
      case 'failed':
        throw new UsageError(englishErrorMessage(line.error));
      case 'ended':
        // A last line that was to go on: there is no more of it.
        if (message.begun && !lines.typed) await turns.take(message.take());
        if (!asked && !lines.typed) throw new UsageError(nothingAsked);
        return endOf(lines, turns);
    }
  }
}

function endOf({ typed }: LineInput, turns: Pick<WrittenTurns, 'exitCode'>): ExitCode {
  return typed ? exitCode.done : turns.exitCode;
}
