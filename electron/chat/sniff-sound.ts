interface Kind {
  readonly name: string;
  readonly beginning: RegExp;
}

const others: readonly Kind[] = [
  { name: 'an MP3 file', beginning: /^(?:ID3|\u00FF[\u00F2\u00F3\u00FA\u00FB])/ },
  { name: 'an Ogg file', beginning: /^OggS/ },
  { name: 'a FLAC file', beginning: /^fLaC/ },
  { name: 'an AIFF file', beginning: /^FORM[^]{4}AIF/ },
  {
    name: 'an AAC or MPEG-4 file',
    beginning: /^(?:[^]{4}ftyp(?:M4A|mp4|isom|qt)|\u00FF[\u00F0\u00F1\u00F9])/,
  },
  { name: 'a WebM or Matroska file', beginning: /^.E\u00DF\u00A3/ },
  { name: 'an AMR file', beginning: /^#!AMR/ },
];

/** Whether a file is sound by its first bytes: one we read, one with a name, or none. */
export function sniffSound(file: Uint8Array): 'wav' | { readonly other: string } | 'none' {
  const head = String.fromCharCode(...file.subarray(0, 16));
  if (/^RIFF[^]{4}WAVE/.test(head)) return 'wav';
  const other = others.find(({ beginning }) => beginning.test(head));
  return other === undefined ? 'none' : { other: other.name };
}
