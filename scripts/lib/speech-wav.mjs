const TAPS = 24;

/**
 * @param {Buffer} file a 16-bit mono WAV file from flite
 * @returns {{ rate: number, samples: Float32Array }}
 */
export const readPcm = (file) => {
  const data = file.indexOf('data', 12, 'latin1');
  const samples = new Float32Array(Math.floor((file.length - data - 8) / 2));
  for (let at = 0; at < samples.length; at += 1) {
    samples[at] = file.readInt16LE(data + 8 + at * 2) / 32_768;
  }
  return { rate: file.readUInt32LE(24), samples };
};

/**
 * Resamples with a windowed sinc.
 * @param {Float32Array} samples
 * @returns {Float32Array}
 */
export const resample16To24Khz = (samples) => {
  const resampled = new Float32Array(Math.floor((samples.length * 3) / 2));
  for (let at = 0; at < resampled.length; at += 1) {
    const centre = (at * 2) / 3;
    let sum = 0;
    for (let tap = Math.ceil(centre - TAPS); tap <= centre + TAPS; tap += 1) {
      const distance = tap - centre;
      const sinc = distance === 0 ? 1 : Math.sin(Math.PI * distance) / (Math.PI * distance);
      const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / (TAPS + 1));
      sum += (samples[tap] ?? 0) * sinc * window;
    }
    resampled[at] = sum;
  }
  return resampled;
};

/**
 * @param {Float32Array} samples
 * @param {number} rate
 * @returns {Buffer} a 16-bit mono WAV file
 */
export const encodeWav = (samples, rate) => {
  const file = Buffer.alloc(44 + samples.length * 2);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(samples.length * 2, 40);
  for (const [at, sample] of samples.entries()) {
    const clipped = Math.max(-1, Math.min(1, sample));
    file.writeInt16LE(Math.round(clipped * 32_767), 44 + at * 2);
  }
  return file;
};
