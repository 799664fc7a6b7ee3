"""Writes weights as a TypeScript file, two characters per number."""

import numpy as np

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
MAX_WEIGHT = 2047
MAX_LINE_CHARACTERS = 4000
HEAD = """import type { LearnedLayer } from './learned-layers.ts';

/** In order of use: from spectra to a chunk, from chunk to chunk, and with the level to a likelihood. */
export type LayerName =
  'spectra' | 'pairs' | 'whole' | 'chunk' | 'cells' | 'findings' | 'together' | 'voice';

/**
 * Written by scripts/learn-voices: weights by rows, then biases, as two characters each, times the layer's scale.
 * Training started from Silero VAD v5, copyright Silero Team, under the MIT licence.
 */
export const voiceWeights: Readonly<Record<LayerName, LearnedLayer>> = {
"""


def encode(numbers):
    return "".join(ALPHABET[(int(n) + MAX_WEIGHT + 1) // 64] + ALPHABET[(int(n) + MAX_WEIGHT + 1) % 64] for n in numbers)


def layer(name, weights, biases):
    # Rounded first, because the file has the rounded scales.
    scale = float(f"{np.abs(weights).max() / MAX_WEIGHT:.6g}")
    bias_scale = float(f"{max(np.abs(biases).max(), 1e-9) / MAX_WEIGHT:.6g}")
    quantized = lambda numbers: np.clip(np.round(numbers), -MAX_WEIGHT, MAX_WEIGHT).reshape(-1)
    text = encode(quantized(weights / scale)) + encode(quantized(biases / bias_scale))
    parts = [text[at : at + MAX_LINE_CHARACTERS] for at in range(0, len(text), MAX_LINE_CHARACTERS)]
    joined = " +\n      ".join(f"'{part}'" for part in parts)
    lines = [
        f"inputs: {weights.shape[1]},",
        f"outputs: {weights.shape[0]},",
        f"scale: {scale:.6g},",
        f"biasScale: {bias_scale:.6g},",
        f"encoded: {joined}," if len(text) < 85 else f"encoded:\n      {joined},",
    ]
    return f"  {name}: {{\n" + "".join(f"    {line}\n" for line in lines) + "  },\n"


def by_tap(convolution, taps):
    """Orders weights by tap and then by channel, as the product reads spectra; omits taps that only meet padding."""
    weights = convolution.weight[:, :, taps].permute(0, 2, 1)
    return weights.reshape(len(weights), -1), convolution.bias


def write_weights(network, path, bias):
    cells = network.cells
    write(path, HEAD, {
        "spectra": by_tap(network.convolutions[0], slice(0, 3)),
        "pairs": by_tap(network.convolutions[1], slice(0, 3)),
        "whole": by_tap(network.convolutions[2], slice(1, 3)),
        "chunk": by_tap(network.convolutions[3], slice(1, 2)),
        "cells": (np.concatenate([x.detach() for x in (cells.weight_ih_l0, cells.weight_hh_l0)], 1), cells.bias_ih_l0 + cells.bias_hh_l0),
        "findings": [np.concatenate([a.detach(), b.detach()]) for a, b in zip(network.silero_output.parameters(), network.more_findings.parameters())],
        "together": (network.together.weight, network.together.bias),
        "voice": (network.voice.weight, network.voice.bias + bias),
    })


def write(path, head, layers):
    as_numbers = lambda part: np.asarray(part.detach() if hasattr(part, "detach") else part, np.float64)
    text = "".join(layer(name, *(as_numbers(part) for part in parts)) for name, parts in layers.items())
    with open(path, "w") as file:
        file.write(head + text + "};\n")
