/** The same media as bytes and as the text that stands for them in frames. */
export const sound = Float32Array.of(0.5, -0.25);
export const soundText = 'AAAAPwAAgL4=';

/** A WAV file of 32-bit float samples, 16 kHz and mono. */
export const wavText =
  'UklGRkQAAABXQVZFZm10IBIAAAADAAEAgD4AAAD6AAAEACAAAABmYWN0BAAAAAIAAABkYXRhCAAAAAAAAD8AAIC+anVuawIAAAAAAA==';

export const jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xd9);
export const jpegText = '/9j/2Q==';

export const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47);
export const pngText = 'iVBORw==';
