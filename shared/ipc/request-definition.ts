import { z } from 'zod';
import type { Outcome } from '../errors/app-error.ts';
import type { Page } from './page.ts';

/**
 * A request that a page may make: the schema of its input, which checks what arrives, and the type of its value, which the
 * core makes itself. A value that pages keep a copy of also names the notices that tell of changes to it.
 */
export class RequestDefinition<Input, Value = undefined, Change extends string = never> {
  readonly input: z.ZodType<Input>;
  readonly changes: readonly Change[];
  /** Only the type of it is used. */
  readonly value?: Value;

  constructor(input: z.ZodType<Input>, changes: readonly Change[]) {
    this.input = input;
    this.changes = changes;
  }

  answers<Answer>(): RequestDefinition<Input, Answer> {
    return new RequestDefinition<Input, Answer>(this.input, []);
  }

  changedBy<Name extends string>(...names: readonly Name[]): RequestDefinition<Input, Value, Name> {
    return new RequestDefinition<Input, Value, Name>(this.input, names);
  }
}

export function request<Input>(input: z.ZodType<Input>): RequestDefinition<Input> {
  return new RequestDefinition(input, []);
}

/** The input of a request that needs none. */
export const noInput = z.undefined();

/** A file by its bytes, with a size that whoever takes it can bear. */
export function fileBytes(what: string, maxBytes: number): z.ZodType<Uint8Array> {
  return z.instanceof(Uint8Array).refine(({ length }) => length <= maxBytes, {
    message: `${what} has ${maxBytes / 1_000_000} MB at most`,
  });
}

type InputOf<Definition> =
  Definition extends RequestDefinition<infer Input, unknown, string> ? Input : never;

type ValueOf<Definition> =
  Definition extends RequestDefinition<infer _, infer Value, string> ? Value : never;

/** What each of these requests takes and answers, as types alone. */
export type SignaturesOf<Definitions> = {
  readonly [Name in keyof Definitions]: {
    readonly input: InputOf<Definitions[Name]>;
    readonly value: ValueOf<Definitions[Name]>;
  };
};

/** A value as it is, or an outcome of one; what could be taken for an outcome is no value. */
export type Answer<Value> =
  | (Value extends { readonly ok: unknown } ? never : Value)
  | ([Value] extends [undefined] ? void : never)
  | Outcome<Value>;

export function outcomeOf<Value>(answer: Answer<Value>): Outcome<Value> {
  if (typeof answer === 'object' && answer !== null && 'ok' in answer) return answer;
  // Of what is no outcome the type says that it is a value, and loses it where the value's type is a parameter.
  return { ok: true, value: answer as Value };
}

/** What a request does, for the page that asks. What cannot be done is a failure, and no exception. */
export type Handler<Input, Value> = (
  input: Input,
  page: Page,
) => Answer<Value> | Promise<Answer<Value>>;

/** One function per request. The type makes a missing or an extra one a compile error. */
export type HandlersOf<Definitions> = {
  readonly [Name in keyof Definitions]: Handler<
    InputOf<Definitions[Name]>,
    ValueOf<Definitions[Name]>
  >;
};
