import type { AppError } from './app-error.ts';
import { isDetailFromServer } from './error-codes.ts';
import type { ErrorCode } from './error-codes.ts';

/** The words of one language. */
export interface ErrorTable {
  readonly codes: Readonly<Record<ErrorCode, string>>;
  /** What the server itself said, behind the sentence. */
  readonly said: string;
  /** Two sentences, one after the other. */
  readonly andThen: string;
}

/** What went wrong in a person's language: what it follows from, then what it is and what to do. */
export function errorMessage(error: AppError, table: ErrorTable): string {
  const { code, facts, detail, cause } = error;
  const own = fill(table.codes[code], facts);
  const message =
    detail !== undefined && isDetailFromServer(code)
      ? fill(table.andThen, { first: own, next: fill(table.said, { said: detail }) })
      : own;
  if (cause === undefined) return message;
  return fill(table.andThen, { first: errorMessage(cause, table), next: message });
}

/** Facts are put in as they are, whatever stands in them. */
function fill(text: string, facts: object): string {
  return text.replaceAll(/\{\{(\w+)\}\}/gu, (_whole, name: string) =>
    String(Reflect.get(facts, name)),
  );
}
