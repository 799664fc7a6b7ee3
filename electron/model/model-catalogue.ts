export interface ModelFile {
  /** Relative to the model's folder, with `/`. */
  readonly path: string;
  readonly bytes: number;
  /** In lower-case hexadecimal digits. */
  readonly sha256: string;
}

export interface ModelMirror {
  readonly id: string;
  readonly host: string;
  /** Address of the revision's folder; ends in `/`. */
  readonly base: string;
}

/** The files of one revision and the mirrors that serve them. */
export interface ModelCatalogue {
  readonly revision: string;
  readonly files: readonly ModelFile[];
  /** The first is the default. */
  readonly mirrors: readonly ModelMirror[];
}

/** The values of the setting `model.mirror`. */
export const mirrorIds = ['huggingface', 'hf-mirror'] as const;

export type MirrorId = (typeof mirrorIds)[number];

const hosts: Readonly<Record<MirrorId, string>> = {
  huggingface: 'huggingface.co',
  'hf-mirror': 'hf-mirror.com',
};

/** A commit, because the files of a branch can change and then no longer match the checksums. */
const revision = 'db25077c33951fe163b42986fba0132e279872a2';

/** MiniCPM-o 4.5 with a language model quantized to 4 bits, published under Apache-2.0. */
export const modelCatalogue: ModelCatalogue = {
  revision,
  mirrors: mirrorIds.map((id) => ({
    id,
    host: hosts[id],
    base: `https://${hosts[id]}/openbmb/MiniCPM-o-4_5-gguf/resolve/${revision}/`,
  })),
  files: [
    {
      path: 'MiniCPM-o-4_5-Q4_K_M.gguf',
      bytes: 5_026_714_400,
      sha256: '1237a97ee081b8abebc47aa7dad565701e8f5f904cdc92f6723ac4281bbc0932',
    },
    {
      path: 'audio/MiniCPM-o-4_5-audio-F16.gguf',
      bytes: 660_167_904,
      sha256: 'd5b188ac7feaf98e17175c3f9bd14bf269301bfd187439fdaa3e3a494fc32ef7',
    },
    {
      path: 'vision/MiniCPM-o-4_5-vision-F16.gguf',
      bytes: 1_095_113_184,
      sha256: '1453678cc4e4fe18de241952962e234f265cb8dda780773526103ab8ba82f421',
    },
    {
      path: 'tts/MiniCPM-o-4_5-tts-F16.gguf',
      bytes: 1_157_244_416,
      sha256: 'c7be3748a863dd6966ae7eed42600b7f41ca67affb03729ff245247f0e5ea088',
    },
    {
      path: 'tts/MiniCPM-o-4_5-projector-F16.gguf',
      bytes: 14_948_640,
      sha256: '4b1b5b377358a5e594a304ff6ea5d52df606a9ba7d886c4299d232f0c67dd1fd',
    },
    {
      path: 'token2wav-gguf/encoder.gguf',
      bytes: 151_339_008,
      sha256: '7f8d265da594eaf5e1de2db8f5f1867dbcb0bb75ef5878fadf2952347116f4d0',
    },
    {
      path: 'token2wav-gguf/flow_matching.gguf',
      bytes: 458_250_240,
      sha256: 'eda6069f3edeb5dd3a87fbf2aedb2ddd1b46f3273926c4fcf09b24476a39cab8',
    },
    {
      path: 'token2wav-gguf/flow_extra.gguf',
      bytes: 13_663_328,
      sha256: 'c67611aa7d02500fe395a7798bf0bfdfb55c74d37ba93934ca74d82b4e63f78d',
    },
    {
      path: 'token2wav-gguf/hifigan2.gguf',
      bytes: 83_242_816,
      sha256: '1b8b3bf5d8d3066aeee4324fdcdd41aefce170d0ee907645858de408d82835c2',
    },
    {
      path: 'token2wav-gguf/prompt_cache.gguf',
      bytes: 211_613_152,
      sha256: '81fe6f541ebe0b67db06a1e395df928da47991dc9637c2cf47d6c59d5b979f2c',
    },
  ],
};

export function totalBytes(files: readonly Pick<ModelFile, 'bytes'>[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
