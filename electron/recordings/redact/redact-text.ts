import { errorCodes, knownReasons } from '../../../shared/errors/app-error.ts';
import { oversizeReason } from '../../../shared/ports/sockets.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/protocol/json.ts';
import { englishErrors } from '../../../shared/i18n/en/errors.ts';

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

/** Replaces private values. The same id, device or unknown field name gets the same alias throughout a tape. */
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

  /** Masks an unknown field, but keeps its structure, the lengths of texts, and booleans. */
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
const fieldNames = `
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
  cost_tts_ms cost_token2wav_ms n_tts_tokens tools tool_call_id call raw name arguments contents function description
  parameters`;

/** Protocol and tape values that may stay. */
const harmlessValues = `
  always append assistant audio auto bargeIn began both broken chance chat client_error client_closed close closed continue
  computerSound controls created devices done drop duck end error floor gap good handOver hold holdOrTap image input input.append
  input_audio_buffer.append interrupt joined legacy listen lost lostInSleep moved networkBack never nobody nothing open
  parley parley-tape queued refused release response.done response.listen response.output.delta response.output_audio.delta restore
  server_error session.close session.closed session.created session.init session.queue_done session.queue_update
  session.queued session.update sleep standsIn streaming system take takesFloor tap text transcript tts turn_based turn_end unified unknown
  response.tool_call.abort response.tool_call.args.raw response.tool_call.done input.tool_result function function_call
  unknown_event full_duplex evicted unreachable unspecified user using video voice wake yield you heard bad_json invalid_payload missing_field`;

const factNames = Object.values(errorCodes).flatMap((types) => Object.keys(types));

const knownFields: ReadonlySet<string> = new Set([...split(fieldNames), ...factNames]);

export const knownValues: ReadonlySet<string> = new Set([
  ...split(harmlessValues),
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

/** Words of Parley's log entries. Words that are in neither list nor in an error text may be private. */
const parleyWords = `
  a abandoned deeply portal reply after alive all already also an and another answered arrived as asked at attempt authentication
  autostart available average back barge be became because been before began behind block blocks broke broken browser
  buffer bus but by came camera cancelled capture cards careful catalogue caught chat chirp chunk cleanly clock close
  closed commands connection context continues core crash crashed created daemon data decoder depth desktop device
  devices dialect dialog did died different display does done dropped electron embedded empty end ended ending ends
  entries error errors event events every exactly exception exist exit exiting failed faults features feed files first
  for found frame frames from gap gateway goes gone hardware has hear heard here history hung icon in incomplete index
  info installed integer ipc is it its itself jitter js kept killed known late latency later left level lifetime
  limited line list listener load loaded log longer lost machine main median menu message microphone mini mjs mode
  module more most moved ms mts muted name native nested network new no nobody node node_modules not notice now object
  of often on once one only open opened or other out page parley passed path paused picture pictures playback port
  portaudio positive probe process promise queue queued read reason receives refused registration rejected rejection
  reload reloaded remote renderer repeated replay request requests resources restarts restored retry returned running
  s safe same sample samples screen seconds sent server session set sharp shutdown silence socket sound speaker start
  started starting starts state stays still stopped stream streams switched system takes talk tape task than that the
  there things this time timed times to too took tray trial truncated ts tunnel turn turns type uncaught unhandled
  unknown until up updated used variant version voice waited waits warn was web webcontents websocket went were what
  while who window with without worker write writes written wrong`;

const machineWords = `
  abort aggregate alsa anonymous array assert async at await buffer call class code config constructor content econnrefused
  encoding eof errno error eval extended file function handle has header host http https index internal invalid is json length
  listen map message method modules next node null number object of open parse pipe platform private promise promises property
  protocol pulse pulseaudio range read reference regexp resolve response run set signal sigabrt sigbus sighup sigint sigkill
  sigsegv sigterm socket stack status stream string syntax syscall task tick timeout timers token tls type typed undefined
  unexpected uri url value ws wss x11 wayland linux darwin win32 x64 arm64 mb kb hz db pcm float16 float32`;

const errorSentences = Object.values(englishErrors.codes);

const knownWords: ReadonlySet<string> = new Set(
  [
    parleyWords,
    machineWords,
    ...errorSentences.map((text) => text.replaceAll(/\{\{\w+\}\}/gu, ' ')),
  ]
    .flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{M}\d]+/u))
    .filter((word) => word !== ''),
);

const wordPattern = /[\p{L}\p{M}][\p{L}\p{M}\d]*/gu;
const systemCode = /^(?:E[A-Z]{3,15}|ERR|SIG[A-Z]{2,6})$/u;
/** IP addresses and long numbers, which could identify a machine or a user. */
const numberPattern = /\b\d{1,3}(?:\.\d{1,3}){3}\b|\b(?:[\da-f]{0,4}:){3,}[\da-f]{0,4}|\d{7,}/giu;
/** Time, process and level at the start of each entry. */
const linePrefix = /^\d{4}-\d\d-\d\dT[\d:.]+Z \d+ (?:info|warn|error): /u;

/** Masks every word that is not in the lists, so that it keeps only its length. Known words stay, even in names, paths and server texts. */
export function redactLog(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const [begins = ''] = linePrefix.exec(line) ?? [];
      return begins + redactWords(line.slice(begins.length));
    })
    .join('\n');
}

function redactWords(text: string): string {
  return text
    .replaceAll(numberPattern, maskText)
    .replaceAll(wordPattern, (each) => (isKnown(each) ? each : maskText(each)));
}

function isKnown(each: string): boolean {
  if (knownWords.has(each.toLowerCase()) || systemCode.test(each)) return true;
  const parts = each.split(/(?<=\p{Ll})(?=\p{Lu})/u);
  return parts.length > 1 && parts.every((part) => knownWords.has(part.toLowerCase()));
}
