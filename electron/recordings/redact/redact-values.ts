import { errorCodes } from '../../../shared/errors/app-error.ts';
import { knownReasons } from '../../../shared/errors/session-reasons.ts';
import { oversizeReason } from '../../../shared/ports/sockets.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/protocol/json.ts';

/** Fields whose values come from a closed set. Known values stay, others are masked. */
const enumFields = new Set(
  `type kind code reason mode dialect role format dir talking yielding floor does step why carry`.split(
    ' ',
  ),
);
const errorTextFields = new Set([
  'message',
  'error',
  'reason',
  'body',
  'problem',
  'detail',
  'diagnostic',
]);
const deviceFields = new Set(['device', 'missing', 'microphone', 'speaker']);
const idName = /(?:^|_)id$/u;
const settingsPrefix = /^(?:unknown|invalid|missing|unsupported)_/u;
const maxKeptWord = 60;

/** Replaces private values; the same value gets the same alias throughout a tape. */
export class ValueRedactor {
  readonly #aliases = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #media: (reference: JsonObject) => JsonObject;

  /** @param media renames a media reference */
  constructor(media: (reference: JsonObject) => JsonObject) {
    this.#media = media;
  }

  object(value: JsonObject): JsonObject {
    if ('$sound' in value || '$file' in value) return this.#media(value);
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        if (key === 'versions' && isJsonObject(inner)) return [key, this.#versions(inner)];
        return knownFields.has(key)
          ? [key, this.#value(key, inner)]
          : [this.#alias('field', key), this.#maskUnknown(inner)];
      }),
    );
  }

  /** Masks a text message that is not JSON. */
  text(value: string): string {
    return maskText(value);
  }

  #value(key: string, value: JsonValue): JsonValue {
    if (Array.isArray(value)) return value.map((item: JsonValue) => this.#value(key, item));
    if (isJsonObject(value)) return this.object(value);
    if (typeof value === 'number' && idName.test(key)) return this.#count('number', String(value));
    return typeof value === 'string' ? this.#string(key, value) : value;
  }

  #string(key: string, value: string): string {
    if (idName.test(key)) return this.#alias('id', value);
    if (deviceFields.has(key)) return this.#alias('Device', value);
    if (enumFields.has(key)) {
      if (knownValues.has(value)) return value;
      const [prefix = ''] = settingsPrefix.exec(value) ?? [];
      return prefix + maskErrorText(value.slice(prefix.length));
    }
    return errorTextFields.has(key) ? maskErrorText(value) : maskText(value);
  }

  /** Keeps only the structure of an unknown field. */
  #maskUnknown(value: JsonValue): JsonValue {
    if (Array.isArray(value)) return value.map((item: JsonValue) => this.#maskUnknown(item));
    if (isJsonObject(value)) return this.object(value);
    if (typeof value === 'number') return 0;
    return typeof value === 'string' ? maskText(value) : value;
  }

  /** A report needs the versions of Parley and of the system. */
  #versions(versions: JsonObject): JsonObject {
    const plain = /^[\w.+ ()-]*$/u;
    return Object.fromEntries(
      Object.entries(versions).filter(
        ([name, value]) =>
          typeof value === 'string' && value.length <= maxKeptWord && plain.test(name + value),
      ),
    );
  }

  #alias(what: 'id' | 'Device' | 'field', original: string): string {
    const key = `${what} ${original}`;
    const known = this.#aliases.get(key) ?? `${what}-${this.#count(what, original)}`;
    this.#aliases.set(key, known);
    return known;
  }

  #count(what: string, original: string): number {
    const known = this.#counts.get(`${what} ${original}`);
    if (known !== undefined) return known;
    const next = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, next).set(`${what} ${original}`, next);
    return next;
  }
}

/** Field names of both dialects, of tapes and of their events. Any other name may be private. */
const fields = `
  at audio bargeIn body carry cause chunkMs chunk_ms code config connection content controls coughMuted data decode_mode
  delta detail device devices diagnostic dialect dir does end end_of_turn endpoint error estimated_wait_s event
  enable_thinking enabled endTurn facts floor flush force_listen force_listen_count format frame from full_text
  generate_audio generation handsOver heard image input input_id instructions kind kv_cache_length lasting latched length_penalty
  listen listen_prob_scale listen_top_k ls_mode maxSlices max_new_speak_tokens_per_chunk max_new_tokens max_slice_nums
  message messages metrics microphone missing mode muted n_tokens omni_mode on output passing paused payload position problem
  prompt_length queue_length reason reconnects ref_audio ref_audio_base64 ref_audio_data response_id role samples
  server_send_ts session sessionSeconds session_id settings slices speaker status step streaming stream system_prompt talking temperature text
  text_repetition_penalty ticket_id top_k top_p transmitting tts tts_ref_audio tts_ref_audio_base64 tts_repetition_penalty
  tts_temperature turn type use_tts_template value version versions video_frames vision_slices vision_tokens voice
  wall_clock_ms why yielding usage chunk_index chunk_usage total_tokens input_tokens output_tokens input_token_details
  output_token_details text_tokens audio_tokens image_tokens video_tokens cached_tokens prefill_ms generate_ms cost_llm_ms
  cost_tts_ms cost_token2wav_ms n_tts_tokens`;

/** Protocol and tape values that may stay. */
const values = `
  always append assistant audio auto bargeIn began both broken chance chat client_error client_closed close closed continue
  computerSound controls created devices done drop duck end error floor gap good handOver hold holdOrTap image input input.append
  input_audio_buffer.append interrupt joined legacy listen lost lostInSleep moved networkBack never nobody nothing open
  parley parley-tape queued refused release response.done response.listen response.output.delta response.output_audio.delta restore
  server_error session.close session.closed session.created session.init session.queue_done session.queue_update
  session.queued session.update sleep standsIn streaming system take takesFloor tap text transcript tts turn_based turn_end unified unknown
  unknown_event full_duplex evicted unreachable unspecified user using video voice wake yield you heard bad_json invalid_payload missing_field`;

const facts = Object.values(errorCodes).flatMap((types) => Object.keys(types));

const knownFields: ReadonlySet<string> = new Set([...split(fields), ...facts]);

export const knownValues: ReadonlySet<string> = new Set([
  ...split(values),
  ...Object.keys(errorCodes),
  ...knownReasons,
  oversizeReason,
]);

function split(list: string): readonly string[] {
  return list.trim().split(/\s+/u);
}

const maskable = /\p{L}|\p{N}|[\ud800-\udfff]/u;

/**
 * Replaces letters and digits with one character per script. Length and punctuation stay, so captions
 * and token counts do not change.
 */
export function maskText(text: string): string {
  let masked = '';
  for (const character of text)
    masked += maskable.test(character) ? maskCharacter(character) : character;
  return masked;
}

/** Words in error texts that decide what happens to a session. */
const decisiveWords = /queue|connect|busy|worker|\b403\b/giu;

/** Masks an error text except for the words that Parley acts on. */
function maskErrorText(text: string): string {
  let masked = '';
  let from = 0;
  for (const { index, 0: found } of text.matchAll(decisiveWords)) {
    masked += maskText(text.slice(from, index)) + found;
    from = index + found.length;
  }
  return masked + maskText(text.slice(from));
}

function maskCharacter(character: string): string {
  const isPair = character.length === 2;
  if (/\p{Script=Han}/u.test(character)) return isPair ? '𠮷' : '字';
  if (/\p{Script=Hiragana}/u.test(character)) return 'あ';
  if (/\p{Script=Katakana}/u.test(character)) return 'ア';
  // A single surrogate, whose other half came with another delta.
  if (/[\ud840-\udbff]/.test(character) && !isPair) return '\ud842';
  if (/[\udc00-\udfff]/.test(character) && !isPair) return '\udfb7';
  if (/[\ud800-\udfff]/.test(character) && !isPair) return '\ud835';
  if (/\p{N}/u.test(character)) return isPair ? '𝟎' : '0';
  if (isPair) return '𝐱';
  return /\p{Lu}/u.test(character) ? 'X' : 'x';
}
