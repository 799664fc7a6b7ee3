import { z } from 'zod';
import type { Outcome } from '../errors/app-error.ts';
import { historyKinds, type HistoryRef } from '../recordings/history-item.ts';
import { minFrameArea } from '../vision/vision-frame.ts';
import type { Page } from './page.ts';

/** The input schema and the value type of a request. A snapshot lists the notices that change it. */
export class RequestDefinition<Input, Value = undefined, Change extends string = never> {
  readonly input: z.ZodType<Input>;
  readonly changedBy: readonly Change[];
  /** Only its type is used. */
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

/** The bytes of a file, up to `maxBytes`. */
export function fileBytes(label: string, maxBytes: number): z.ZodType<Uint8Array> {
  return z.instanceof(Uint8Array).refine(({ length }) => length <= maxBytes, {
    message: `${label} has ${maxBytes / 1_000_000} MB at most`,
  });
}

/** The core's id of a chat, a turn, a medium, a call or an action. */
export const partId = z.string().min(1).max(64);

/** A kept talk or chat that a passage is from. */
export const passagePlace: z.ZodType<HistoryRef> = z.strictObject({
  kind: z.enum(historyKinds),
  id: partId,
});

/** The conversations whose passages are not sent with a message. */
export const passagePlaces: z.ZodType<readonly HistoryRef[]> = z.array(passagePlace).max(10);

/** The sum of two fractions may be above 1 by an error of rounding. */
const maxSum = 1 + 1e-9;

/** A part of a picture, in fractions. */
export const frameArea = z
  .strictObject({
    left: z.number().min(0).max(1),
    top: z.number().min(0).max(1),
    width: z.number().min(minFrameArea).max(1),
    height: z.number().min(minFrameArea).max(1),
  })
  .refine(({ left, top, width, height }) => left + width <= maxSum && top + height <= maxSum, {
    message: 'the area must lie within the picture',
  });

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
