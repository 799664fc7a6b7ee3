/** One block of zeros for everybody, handed out in pieces: a long silence needs no long buffer. */
const maxBlock = 4096;
const zeros = new Float32Array(maxBlock);

/** Gives exactly so many samples of silence. The blocks are everybody's: nobody may write to them. */
export function emitSilence(samples: number, give: (block: Float32Array) => void): void {
  for (let left = samples; left > 0; left -= maxBlock) {
    give(left < maxBlock ? zeros.subarray(0, left) : zeros);
  }
}
