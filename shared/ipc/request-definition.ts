import { z } from 'zod';
import type { Outcome } from '../errors/app-error.ts';
import type { Page } from './page.ts';

/** The input schema and the value type of a request. A snapshot lists the notices that change it. */
export class RequestDefinition<Input, Value = undefined, Change extends string = never> {
  readonly input: z.ZodType<Input>;
  readonly changedBy: readonly Change[];
  /** Never set. TypeScript reads its type. */
  readonly value?: Value;

  constructor(input: z.ZodType<Input>, changedBy: readonly Change[]) {
    this.input = input;
    this.changedBy = changedBy;
  }

  answers<Answer>(): RequestDefinition<Input, Answer> {
    return new RequestDefinition<Input, Answer>(this.input, []);
  }

  withChangedBy<Name extends string>(
    ...names: readonly Name[]
  ): RequestDefinition<Input, Value, Name> {
    return new RequestDefinition<Input, Value, Name>(this.input, names);
  }
}

export function request<Input>(input: z.ZodType<Input>): RequestDefinition<Input> {
  return new RequestDefinition(input, []);
}

export const noInput = z.undefined();

type InputOf<Definition> =
  Definition extends RequestDefinition<infer Input, unknown, string> ? Input : never;

type ValueOf<Definition> =
  Definition extends RequestDefinition<infer _, infer Value, string> ? Value : never;

export type SignaturesOf<Definitions> = {
  readonly [Name in keyof Definitions]: {
    readonly input: InputOf<Definitions[Name]>;
    readonly value: ValueOf<Definitions[Name]>;
  };
};

/** A value or an outcome. A value type with an `ok` property is excluded, because it could not be told apart. */
export type Answer<Value> =
  | (Value extends { readonly ok: unknown } ? never : Value)
  | ([Value] extends [undefined] ? void : never)
  | Outcome<Value>;

export function toOutcome<Value>(answer: Answer<Value>): Outcome<Value> {
  if (typeof answer === 'object' && answer !== null && 'ok' in answer) return answer;
  // The type guarantees a value here, but narrowing loses it for a type parameter.
  return { ok: true, value: answer as Value };
}

/** Handles a request for a page. An expected failure is a value, never an exception. */
export type Handler<Input, Value> = (
  input: Input,
  page: Page,
) => Answer<Value> | Promise<Answer<Value>>;

/** One handler for each request. A missing or extra one does not compile. */
export type HandlersOf<Definitions> = {
  readonly [Name in keyof Definitions]: Handler<
    InputOf<Definitions[Name]>,
    ValueOf<Definitions[Name]>
  >;
};
