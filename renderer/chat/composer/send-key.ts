interface Key {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly nativeEvent: { readonly isComposing: boolean; readonly keyCode: number };
}

/** Some engines end a composition before they report the key that ended it; this is its code. */
const composingCode = 229;

/** Enter sends; with Shift it is a new line, and while a word is being composed it chooses that word. */
export function isSendKey({ key, shiftKey, altKey, nativeEvent }: Key): boolean {
  if (key !== 'Enter' || shiftKey || altKey) return false;
  return !nativeEvent.isComposing && nativeEvent.keyCode !== composingCode;
}
