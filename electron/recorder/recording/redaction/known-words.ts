import { errorCodes } from '../../../../shared/errors/error-codes.ts';
import { oversizeReason } from '../../../ports/sockets.ts';
import { wordsOfReasons } from '../../../../shared/errors/session-reasons.ts';

/** The names of fields that both dialects, tapes and their events have; every other name may be anybody's word. */
const fields = `
  at audio bargeIn body carry cause chunkMs chunk_ms code config connection content controls coughMuted data decode_mode
  delta detail device devices diagnostic dialect dir does end end_of_turn endpoint error estimated_wait_s event
  enable_thinking enabled endTurn facts floor flush force_listen force_listen_count format frame from full_text
  generate_audio generation handsOver heard image input input_id instructions kind kv_cache_length lasting latched length_penalty
  listen listen_prob_scale listen_top_k ls_mode maxSlices max_new_speak_tokens_per_chunk max_new_tokens max_slice_nums
  message messages metrics microphone missing mode muted n_tokens omni_mode output passing paused payload position problem
  prompt_length queue_length reason reconnects ref_audio ref_audio_base64 ref_audio_data response_id role samples
  server_send_ts session sessionSeconds session_id settings slices speaker status step streaming stream system_prompt talking temperature text
  text_repetition_penalty ticket_id top_k top_p transmitting tts tts_ref_audio tts_ref_audio_base64 tts_repetition_penalty
  tts_temperature turn type use_tts_template value version versions video_frames vision_slices vision_tokens voice
  wall_clock_ms why yielding usage chunk_index chunk_usage total_tokens input_tokens output_tokens input_token_details
  output_token_details text_tokens audio_tokens image_tokens video_tokens cached_tokens`;

/** What such fields say that is the protocol's or a tape's own. */
const values = `
  always append assistant audio auto bargeIn began both broken chance chat client_error client_closed close closed continue
  controls created devices done drop duck end error floor gap good handOver hold holdOrTap image input input.append
  input_audio_buffer.append interrupt joined legacy listen lost lostInSleep moved networkBack never nobody nothing open
  parley parley-tape queued refused release response.done response.listen response.output.delta response.output_audio.delta restore
  server_error session.close session.closed session.created session.init session.queue_done session.queue_update
  session.queued session.update sleep standsIn streaming system take takesFloor tap text transcript tts turn_based turn_end unified unknown
  unknown_event unreachable unspecified user using video voice wake yield you heard bad_json invalid_payload missing_field`;

const facts = Object.values(errorCodes).flatMap((types) => Object.keys(types));

export const knownFields: ReadonlySet<string> = new Set([...split(fields), ...facts]);

export const knownValues: ReadonlySet<string> = new Set([
  ...split(values),
  ...Object.keys(errorCodes),
  ...wordsOfReasons,
  oversizeReason,
]);

function split(list: string): readonly string[] {
  return list.trim().split(/\s+/u);
}
