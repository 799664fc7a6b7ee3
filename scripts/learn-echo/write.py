"""Writes a learned network as a file in TypeScript:   python3 write.py NETWORK.pt ../../electron/audio/learned/echo-weights.ts"""

import os
import sys

import torch

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "learn-voices"))
from weights import write  # noqa: E402

HEAD = """import type { LearnedLayer } from './learned-layers.ts';

/** In the order of use: what is told of a block, two layers of cells with what they take of it and of each other, and what they say. */
export type EchoLayerName =
  'narrow' | 'firstInput' | 'firstState' | 'secondInput' | 'secondState' | 'out';

/**
 * The numbers that the echo canceller has learned (scripts/learn-echo writes this file): for each layer the weights,
 * row by row, and then the added numbers, each as two letters, to be multiplied by its scale.
 */
export const echoWeights: Readonly<Record<EchoLayerName, LearnedLayer>> = {
"""

known = torch.load(sys.argv[1])
layers = {"narrow": (known["narrow.weight"], known["narrow.bias"])}
for name in ("first", "second"):
    layers[f"{name}Input"] = (known[f"{name}.weight_ih_l0"], known[f"{name}.bias_ih_l0"])
    layers[f"{name}State"] = (known[f"{name}.weight_hh_l0"], known[f"{name}.bias_hh_l0"])
layers["out"] = (known["out.weight"], known["out.bias"])
write(sys.argv[2], HEAD, layers)
