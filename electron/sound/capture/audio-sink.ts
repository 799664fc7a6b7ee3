/** Whoever listens to a microphone: a conversation, a recording, a command. */
export interface AudioSink {
  /** 16 kHz mono, in blocks of about 20 ms; each belongs to the sink. */
  pushAudio(block: Float32Array): void;
}
