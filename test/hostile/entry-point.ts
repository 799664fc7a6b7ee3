import { CommandError } from '../../electron/hosts/terminal/terminal-command.ts';
import { type AppError, errorMessage, isAppError } from '../../shared/errors/app-error.ts';
import { languages } from '../../shared/i18n/languages.ts';

/** An entry point is a function of the product that takes outside data. */
export interface EntryPoint<Data extends string | Uint8Array = string> {
  readonly name: string;
  /** Valid inputs to corrupt. */
  readonly samples: readonly Data[];
  /** Returns a value or an error value, or throws the error type that the terminal prints as a sentence. */
  readonly open: (data: Data) => unknown;
}

/** Whether the entry point accepted or refused the input. Anything else is a fault, and thrown. */
export type Verdict = 'accepted' | 'refused';

const tables = await Promise.all(
  Object.entries(languages).map(
    async ([language, { page }]) => [language, (await page()).errors] as const,
  ),
);

/** Limit of processor time: a thousand times the slowest entry point, far below unbounded work. */
const maxCpuMs = 5000;
/** Limit of a result's JSON in characters; it may contain the input more than once. */
const maxResultLength = 300_000;
const resultLengthPerInput = 60;
const maxSentenceLength = 2000;

export async function feed<Data extends string | Uint8Array>(
  entryPoint: EntryPoint<Data>,
  data: Data,
): Promise<Verdict> {
  const began = process.cpuUsage();
  let answer: unknown;
  try {
    answer = await entryPoint.open(data);
  } catch (error) {
    if (!(error instanceof CommandError)) throw fault(entryPoint, 'throws', error);
    // The printer escapes quoted input, so only an empty message is a fault here.
    if (error.message.trim() === '')
      throw fault(entryPoint, 'refuses with an empty message', error);
    return 'refused';
  }
  const { user, system } = process.cpuUsage(began);
  if ((user + system) / 1000 > maxCpuMs)
    throw fault(entryPoint, `works for ${(user + system) / 1000} ms`);
  const { length, errors } = checkResult(answer, entryPoint);
  if (length > maxResultLength + resultLengthPerInput * data.length)
    throw fault(entryPoint, `returns ${length} characters for ${data.length}`);
  for (const error of errors) checkSentence(error, entryPoint);
  return errors.length === 0 ? 'accepted' : 'refused';
}

/** Checks that the result can be serialised, because pages and files get it as JSON. */
function checkResult(answer: unknown, entryPoint: Pick<EntryPoint, 'name'>) {
  const errors: AppError[] = [];
  try {
    const text = JSON.stringify(answer, (_key, value: unknown) => {
      if (value instanceof Error) throw fault(entryPoint, 'returns an Error object', value);
      if (isAppError(value)) errors.push(value);
      if (value instanceof Float32Array) return checkSamples(value, entryPoint);
      return ArrayBuffer.isView(value) ? value.byteLength : value;
    });
    return { length: text === undefined ? 0 : text.length, errors };
  } catch (error) {
    throw fault(entryPoint, 'returns a value that is not JSON', error);
  }
}

/** Checks samples, because NaN would silence everything computed from it. */
function checkSamples(samples: Float32Array, entryPoint: Pick<EntryPoint, 'name'>): number {
  if (!samples.every((sample) => Number.isFinite(sample)))
    throw fault(entryPoint, 'returns samples that are not numbers');
  return samples.length;
}

function checkSentence(error: AppError, entryPoint: Pick<EntryPoint, 'name'>): void {
  for (const [language, table] of tables) {
    const sentence = errorMessage(error, table);
    if (sentence.trim() === '' || sentence.length > maxSentenceLength)
      throw fault(
        entryPoint,
        `has a message of ${sentence.length} characters for ${error.code} in ${language}`,
      );
  }
}

function fault({ name }: Pick<EntryPoint, 'name'>, what: string, cause?: unknown): Error {
  const why = cause instanceof Error ? `: ${cause.stack ?? cause.message}` : '';
  return new Error(`The entry point of ${name} ${what}${why}`, { cause });
}
