/** The mean of the channels of interleaved sound. */
export function toMono(samples: Float32Array, channels: number): Float32Array {
  if (channels <= 1) return samples;
  const mono = new Float32Array(Math.floor(samples.length / channels));
  for (let frame = 0, from = 0; frame < mono.length; frame += 1) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel += 1, from += 1) sum += samples[from] ?? 0;
    mono[frame] = sum / channels;
  }
  return mono;
}
