import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';

/** Token counts from a newer server, by content; unreported ones are undefined. */
export interface TokenUsage {
  readonly inputText?: number | undefined;
  readonly inputAudio?: number | undefined;
  readonly inputVision?: number | undefined;
  readonly outputText?: number | undefined;
  /** Tokens of the voice, which is generated outside of the model's context. */
  readonly outputAudio?: number | undefined;
}

/** Plausibility limit: more than a thousand full contexts. */
const maxTokens = 10_000_000;

/** Undefined unless the value is a plausible number of tokens. */
export function toTokenCount(value: JsonValue | undefined): number | undefined {
  const isCount = typeof value === 'number' && Number.isInteger(value);
  return isCount && value >= 0 && value <= maxTokens ? value : undefined;
}

export function decodeUsage(value: JsonValue | undefined): TokenUsage | undefined {
  if (!isJsonObject(value)) return undefined;
  const input = detailsIn(value, 'input_token_details');
  const output = detailsIn(value, 'output_token_details');
  const counts: TokenUsage = {
    inputText: toTokenCount(input['text_tokens']),
    inputAudio: toTokenCount(input['audio_tokens']),
    // Some servers count images and videos separately.
    inputVision:
      toTokenCount(input['vision_tokens']) ??
      sumKnown(toTokenCount(input['image_tokens']), toTokenCount(input['video_tokens'])),
    outputText: toTokenCount(output['text_tokens']),
    outputAudio: toTokenCount(output['audio_tokens']),
  };
  return Object.values(counts).some((count) => count !== undefined) ? counts : undefined;
}

export function encodeUsage(usage: TokenUsage): JsonObject {
  const { inputText, inputAudio, inputVision, outputText, outputAudio } = usage;
  const { input, output } = usageTotals(usage);
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

export function usageTotals({
  inputText,
  inputAudio,
  inputVision,
  outputText,
  outputAudio,
}: TokenUsage) {
  return {
    input: sumKnown(inputText, inputAudio, inputVision) ?? 0,
    output: sumKnown(outputText, outputAudio) ?? 0,
  };
}

export function usedContextTokens(usage: TokenUsage | undefined): number | undefined {
  const { inputText, inputAudio, inputVision, outputText } = usage ?? {};
  return sumKnown(inputText, inputAudio, inputVision, outputText);
}

/** Tokens of text read and written, without sound or pictures. */
export function usedWordTokens(usage: TokenUsage | undefined): number | undefined {
  return sumKnown(usage?.inputText, usage?.outputText);
}

function detailsIn(usage: JsonObject, key: string): JsonObject {
  const details = usage[key];
  return isJsonObject(details) ? details : {};
}

function sumKnown(...counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, count) => sum + count, 0);
}

function withoutGaps(counts: Readonly<Record<string, number | undefined>>): JsonObject {
  const known = Object.entries(counts).filter((entry): entry is [string, number] => {
    return entry[1] !== undefined;
  });
  return Object.fromEntries(known);
}
