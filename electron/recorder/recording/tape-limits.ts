/**
 * What is read of a tape, whoever made it. A talk of a whole day stays below all of these; where a tape goes beyond one, it
 * is opened up to there.
 */
export const tapeLimits = {
  /** Of the lines without their media: a minute of talk has some 100 KB. */
  linesBytes: 128 * 1024 * 1024,
  lines: 250_000,
  /** What a server may say at once, as text within text at the worst. */
  lineBytes: 48 * 1024 * 1024,
  /** Frames are a few levels deep; what goes through all of a frame calls itself as often. */
  depth: 64,
  /** A connection for each time that the network was gone. */
  connections: 1000,
  /** A week, in milliseconds: timers cannot wait much longer. */
  duration: 7 * 24 * 3_600_000,
  /** Files of sound: today there are two. */
  soundFiles: 16,
  /** All sound that its lines refer to: no file of ours grows beyond the half of it. */
  soundBytes: 4_000_000_000,
  /** Of the file of checksums: a picture takes it some hundred bytes. */
  checksumBytes: 32 * 1024 * 1024,
  /** What the media of one line may have, as bytes. */
  frameBytes: 96 * 1024 * 1024,
} as const;
