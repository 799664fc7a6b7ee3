"""Writes a learned network as a file in TypeScript:   python3 write.py NETWORK.pt ../../electron/audio/learned/echo-weights.ts"""

import os
import sys

import torch

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "learn-voices"))
from weights import write  # noqa: E402

HEAD = """import type { LearnedLayer } from './learned-layers.ts';

/** In order of use: the features of a block, two recurrent layers (input and state weights), and the output. */
export type EchoLayerName =
  'narrow' | 'firstInput' | 'firstState' | 'secondInput' | 'secondState' | 'out';

/** Written by scripts/learn-echo: weights by rows, then biases, as two characters each, times the layer's scale. */
export const echoWeights: Readonly<Record<EchoLayerName, LearnedLayer>> = {
"""

state = torch.load(sys.argv[1])
layers = {"narrow": (state["narrow.weight"], state["narrow.bias"])}
for name in ("first", "second"):
    layers[f"{name}Input"] = (state[f"{name}.weight_ih_l0"], state[f"{name}.bias_ih_l0"])
    layers[f"{name}State"] = (state[f"{name}.weight_hh_l0"], state[f"{name}.bias_hh_l0"])
layers["out"] = (state["out.weight"], state["out.bias"])
write(sys.argv[2], HEAD, layers)
