/** Reads the named tensors of all graphs of an ONNX file, with a minimal parser. */
export function readOnnxTensors(file: Uint8Array): ReadonlyMap<string, Float32Array> {
  const tensors = new Map<string, Float32Array>();
  for (const [field, value] of iterateFields(file))
    if (field === modelGraph) readGraph(value, tensors);
  return tensors;
}

// Field numbers of onnx.proto.
const modelGraph = 7;
const graphNode = 1;
const nodeOutput = 2;
const nodeAttribute = 5;
const attributeTensor = 5;
const attributeGraph = 6;
const tensorData = 9;

function readGraph(graph: Uint8Array, tensors: Map<string, Float32Array>): void {
  for (const [field, node] of iterateFields(graph)) {
    if (field !== graphNode) continue;
    const parts = [...iterateFields(node)];
    const [, output] = parts.find(([part]) => part === nodeOutput) ?? [];
    for (const [part, attribute] of parts) {
      if (part !== nodeAttribute) continue;
      for (const [kind, value] of iterateFields(attribute)) {
        if (kind === attributeGraph) readGraph(value, tensors);
        if (kind !== attributeTensor || output === undefined) continue;
        const [, data] = [...iterateFields(value)].find(([what]) => what === tensorData) ?? [];
        if (data === undefined || data.length % 4 !== 0) continue;
        tensors.set(
          new TextDecoder().decode(output),
          new Float32Array(Uint8Array.from(data).buffer),
        );
      }
    }
  }
}

/** Iterates over the length-delimited fields of a protobuf message, and skips numbers. */
function* iterateFields(message: Uint8Array): Generator<readonly [number, Uint8Array]> {
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at] ?? 0;
      at += 1;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = number();
    const kind = tag & 7;
    if (kind === 0) number();
    else if (kind === 1) at += 8;
    else if (kind === 5) at += 4;
    else {
      const length = number();
      yield [Math.floor(tag / 8), message.subarray(at, at + length)];
      at += length;
    }
  }
}
