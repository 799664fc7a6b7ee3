/**
 * The mean of the channels of interleaved sound.
 *
 * @param room where to put it; it may be the sound itself, which is read before it is overwritten
 */
export function toMono(
  samples: Float32Array,
  channels: number,
  room: Float32Array = new Float32Array(Math.floor(samples.length / channels)),
): Float32Array {
  if (channels <= 1) return samples;
  const mono = room.subarray(0, Math.floor(samples.length / channels));
  for (let frame = 0, from = 0; frame < mono.length; frame += 1) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel += 1, from += 1) sum += samples[from] ?? 0;
    mono[frame] = sum / channels;
  }
  return mono;
}
