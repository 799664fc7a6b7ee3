import { isJsonObject } from './json.ts';
import type { JsonObject, JsonValue } from './json.ts';

/** Tokens that a newer server has counted, by what they were of; what it does not say is missing. */
export interface TokenUsage {
  readonly inputText?: number | undefined;
  readonly inputAudio?: number | undefined;
  readonly inputVision?: number | undefined;
  readonly outputText?: number | undefined;
  /** Tokens of the voice, which is made outside of the model's context. */
  readonly outputAudio?: number | undefined;
}

/** More than a thousand full contexts; a server that tells more has miscounted. */
const maxTokens = 10_000_000;

/** A number of tokens, or nothing where it is none that a server can have counted. */
export function countOf(value: JsonValue | undefined): number | undefined {
  const isCount = typeof value === 'number' && Number.isInteger(value);
  return isCount && value >= 0 && value <= maxTokens ? value : undefined;
}

export function decodeUsage(value: JsonValue | undefined): TokenUsage | undefined {
  if (!isJsonObject(value)) return undefined;
  const input = detailsIn(value, 'input_token_details');
  const output = detailsIn(value, 'output_token_details');
  const counts: TokenUsage = {
    inputText: countOf(input['text_tokens']),
    inputAudio: countOf(input['audio_tokens']),
    // Some servers count pictures and films apart.
    inputVision:
      countOf(input['vision_tokens']) ??
      sumOf(countOf(input['image_tokens']), countOf(input['video_tokens'])),
    outputText: countOf(output['text_tokens']),
    outputAudio: countOf(output['audio_tokens']),
  };
  return Object.values(counts).some((count) => count !== undefined) ? counts : undefined;
}

export function encodeUsage(usage: TokenUsage): JsonObject {
  const { inputText, inputAudio, inputVision, outputText, outputAudio } = usage;
  const { input, output } = totalsOf(usage);
  return {
    total_tokens: input + output,
    input_tokens: input,
    output_tokens: output,
    input_token_details: withoutGaps({
      text_tokens: inputText,
      audio_tokens: inputAudio,
      vision_tokens: inputVision,
    }),
    output_token_details: withoutGaps({ text_tokens: outputText, audio_tokens: outputAudio }),
  };
}

export function totalsOf({
  inputText,
  inputAudio,
  inputVision,
  outputText,
  outputAudio,
}: TokenUsage) {
  return {
    input: sumOf(inputText, inputAudio, inputVision) ?? 0,
    output: sumOf(outputText, outputAudio) ?? 0,
  };
}

/** Tokens that such a usage has put into the model's context; what the model has forgotten since is among them. */
export function contextTokensOf(usage: TokenUsage | undefined): number | undefined {
  const { inputText, inputAudio, inputVision, outputText } = usage ?? {};
  return sumOf(inputText, inputAudio, inputVision, outputText);
}

/** Tokens of what was written and what was read, without sound and pictures. */
export function wordTokensOf(usage: TokenUsage | undefined): number | undefined {
  return sumOf(usage?.inputText, usage?.outputText);
}

function detailsIn(usage: JsonObject, key: string): JsonObject {
  const details = usage[key];
  return isJsonObject(details) ? details : {};
}

function sumOf(...counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, count) => sum + count, 0);
}

function withoutGaps(counts: Readonly<Record<string, number | undefined>>): JsonObject {
  const known = Object.entries(counts).filter((entry): entry is [string, number] => {
    return entry[1] !== undefined;
  });
  return Object.fromEntries(known);
}
