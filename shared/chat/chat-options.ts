/** What a person can choose for a written conversation: what the wire of chat carries, and no more. */
export interface ChatOptions {
  readonly system?: string | undefined;
  readonly streaming: boolean;
  /** Whether answers are also spoken. */
  readonly speech: boolean;
  /** Whose voice speaks, by the id of a stored voice; else the server's own. */
  readonly voice?: string | undefined;
  /** Whether spoken answers are asked for with the model's template for speech; they are where it is left out. */
  readonly ttsTemplate?: boolean | undefined;
  readonly maxNewTokens?: number | undefined;
  readonly lengthPenalty?: number | undefined;
  readonly thinking: boolean;
  /** How closely pictures are looked at: 1 to 9 slices. */
  readonly maxSlices?: number | undefined;
}

export const defaultChatOptions: ChatOptions = { streaming: true, speech: false, thinking: false };
