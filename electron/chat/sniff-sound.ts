interface Kind {
  readonly name: string;
  /** The name alone, for sentences of any language. */
  readonly kind: string;
  readonly beginning: RegExp;
}

const others: readonly Kind[] = [
  { name: 'an MP3 file', kind: 'MP3', beginning: /^(?:ID3|\u00FF[\u00F2\u00F3\u00FA\u00FB])/ },
  { name: 'an Ogg file', kind: 'Ogg', beginning: /^OggS/ },
  { name: 'a FLAC file', kind: 'FLAC', beginning: /^fLaC/ },
  { name: 'an AIFF file', kind: 'AIFF', beginning: /^FORM[^]{4}AIF/ },
  {
    name: 'an AAC or MPEG-4 file',
    kind: 'AAC/MPEG-4',
    beginning: /^(?:[^]{4}ftyp(?:M4A|mp4|isom|qt)|\u00FF[\u00F0\u00F1\u00F9])/,
  },
  { name: 'a WebM or Matroska file', kind: 'WebM/Matroska', beginning: /^.E\u00DF\u00A3/ },
  { name: 'an AMR file', kind: 'AMR', beginning: /^#!AMR/ },
];

/** Whether a file is sound by its first bytes: one we read, one with a name, or none. */
export function sniffSound(file: Uint8Array): 'wav' | Pick<Kind, 'name' | 'kind'> | 'none' {
  const head = String.fromCharCode(...file.subarray(0, 16));
  if (/^RIFF[^]{4}WAVE/.test(head)) return 'wav';
  const other = others.find(({ beginning }) => beginning.test(head));
  return other ?? 'none';
}
