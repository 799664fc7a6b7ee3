import { CommandError } from '../../electron/hosts/terminal/exit-code.ts';
import { type AppError, errorMessage, isAppError } from '../../shared/errors/app-error.ts';
import { languages } from '../../shared/i18n/languages.ts';

/** A place where what others have made comes in: the very function of the product. */
export interface Inlet<Data extends string | Uint8Array = string> {
  readonly name: string;
  /** What comes in on good days, for others to spoil. */
  readonly samples: readonly Data[];
  /** Answers a value, an error as a value, or throws the one kind of error that the terminal says in a sentence. */
  readonly open: (data: Data) => unknown;
}

/** What a inlet made of it: taken, or refused in a sentence. All else is a fault, and thrown. */
export type Verdict = 'taken' | 'refused';

const tables = await Promise.all(
  Object.entries(languages).map(
    async ([language, { page }]) => [language, (await page()).errors] as const,
  ),
);

/** Of the processor: a thousand times what any of them takes, and far below what one without bounds would. */
const mostCpuMs = 5000;
/** An answer may hold what came in more than once, and what stands for it beside. */
const answerLetters = 300_000;
const lettersPerLetter = 60;
const sentenceLetters = 2000;

export async function pass<Data extends string | Uint8Array>(
  inlet: Inlet<Data>,
  data: Data,
): Promise<Verdict> {
  const began = process.cpuUsage();
  let answer: unknown;
  try {
    answer = await inlet.open(data);
  } catch (error) {
    if (!(error instanceof CommandError)) throw fault(inlet, 'throws', error);
    // What is named in a sentence for the terminal is made harmless where it is printed.
    if (error.message.trim() === '') throw fault(inlet, 'refuses without a word', error);
    return 'refused';
  }
  const { user, system } = process.cpuUsage(began);
  if ((user + system) / 1000 > mostCpuMs) throw fault(inlet, `takes ${(user + system) / 1000} ms`);
  const { letters, errors } = lookAt(answer, inlet);
  if (letters > answerLetters + lettersPerLetter * data.length)
    throw fault(inlet, `makes ${letters} letters of ${data.length}`);
  for (const error of errors) checkSentence(error, inlet);
  return errors.length === 0 ? 'taken' : 'refused';
}

/** Whatever is sent to a page or written to a disk must go into JSON. */
function lookAt(answer: unknown, inlet: Pick<Inlet, 'name'>) {
  const errors: AppError[] = [];
  try {
    const text = JSON.stringify(answer, (_key, value: unknown) => {
      if (value instanceof Error) throw fault(inlet, 'answers a thrown error', value);
      if (isAppError(value)) errors.push(value);
      if (value instanceof Float32Array) return soundOf(value, inlet);
      return ArrayBuffer.isView(value) ? value.byteLength : value;
    });
    return { letters: text === undefined ? 0 : text.length, errors };
  } catch (error) {
    throw fault(inlet, 'answers what cannot be sent on', error);
  }
}

/** What is no number would silence all that is computed from it. */
function soundOf(samples: Float32Array, inlet: Pick<Inlet, 'name'>): number {
  if (!samples.every((sample) => Number.isFinite(sample)))
    throw fault(inlet, 'makes sound that is no number');
  return samples.length;
}

function checkSentence(error: AppError, inlet: Pick<Inlet, 'name'>): void {
  for (const [language, table] of tables) {
    const sentence = errorMessage(error, table);
    if (sentence.trim() === '' || sentence.length > sentenceLetters)
      throw fault(inlet, `says ${error.code} in ${sentence.length} letters of ${language}`);
  }
}

function fault({ name }: Pick<Inlet, 'name'>, what: string, cause?: unknown): Error {
  const why = cause instanceof Error ? `: ${cause.stack ?? cause.message}` : '';
  return new Error(`The inlet of ${name} ${what}${why}`, { cause });
}
