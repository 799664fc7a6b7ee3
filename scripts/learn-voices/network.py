"""The voice detector's network and the level features it uses, computed as in electron/audio/detection."""

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

RATE = 16000
# Samples: the detector answers once a step, and the recurrent layer runs once a chunk.
STEP = 160
CHUNK = 512
WINDOW = 256
# Spectra in a chunk.
FRAMES = 4
BINS = 129
CELLS = 128
# Outputs of the recurrent layer that the last layers combine with the levels.
FINDINGS = 8
LEVELS = 10
functional = nn.functional


class Network(nn.Module):
    def __init__(self, channels=128, cells=CELLS, bins=BINS):
        super().__init__()
        self.bins = bins
        self.convolutions = nn.ModuleList(
            [
                nn.Conv1d(bins, channels, 3, 1, 1),
                nn.Conv1d(channels, 64, 3, 2, 1),
                nn.Conv1d(64, 64, 3, 2, 1),
                nn.Conv1d(64, cells, 3, 1, 1),
            ]
        )
        self.cells = nn.LSTM(cells, cells, batch_first=True)
        self.silero_output = nn.Linear(cells, 1)
        self.more_findings = nn.Linear(cells, FINDINGS - 1)
        self.together = nn.Linear(FINDINGS + LEVELS, 24)
        self.voice = nn.Linear(24, 1)

    def convolution_outputs(self, spectra):
        """Maps [chunks, bins, frames] to the output of each layer."""
        values, outputs = spectra[:, : self.bins], []
        for layer in self.convolutions:
            values = torch.relu(layer(values))
            outputs.append(values)
        return outputs

    def forward(self, spectra, levels):
        """Maps spectra [sounds, chunks, bins, frames] and levels [sounds, steps, 10] to a logit per step."""
        sounds, chunks = spectra.shape[:2]
        points = self.convolution_outputs(spectra.reshape(sounds * chunks, BINS, FRAMES))[-1]
        state = torch.relu(self.cells(points.reshape(sounds, chunks, -1))[0])
        findings = torch.cat([0.3 * self.silero_output(state), torch.tanh(self.more_findings(state))], 2)
        # Before the first chunk ends, the findings say that nobody speaks.
        initial = torch.zeros(sounds, 1, FINDINGS)
        initial[:, 0, 0] = -1
        # A step sees the chunks that end before it does.
        chunk_count = torch.clamp((torch.arange(levels.shape[1]) + 1) * STEP // CHUNK, max=chunks)
        findings = torch.cat([initial, findings], 1)[:, chunk_count]
        hidden = torch.relu(self.together(torch.cat([findings, levels], 2)))
        return self.voice(hidden)[..., 0] + 0.5 / 0.3 * findings[..., 0]

    def added_parameters(self):
        """The parameters that Silero does not have."""
        parts = (self.more_findings, self.together, self.voice)
        return [weights for part in parts for weights in part.parameters()]


def read_silero(file):
    """Silero VAD v5 for 16 kHz, from its ONNX file."""
    tensors = {}

    def walk(graph):
        for node in graph.node:
            for attribute in node.attribute:
                if node.op_type == "Constant" and attribute.name == "value":
                    tensors[node.output[0]] = numpy_helper.to_array(attribute.t)
                if attribute.name == "then_branch" and node.output[0].startswith("If_0_outputs"):
                    walk(attribute.g)

    walk(onnx.load(file).graph)
    tensor = lambda name: torch.tensor(tensors["If_0_then_branch__Inline_0__" + name].copy())
    network = Network()
    with torch.no_grad():
        for at, layer in enumerate(network.convolutions):
            layer.weight.copy_(tensor(f"encoder.{at}.reparam_conv.weight"))
            layer.bias.copy_(tensor(f"encoder.{at}.reparam_conv.bias"))
        for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
            getattr(network.cells, f"{name}_l0").copy_(tensor(f"decoder.rnn.{name}"))
        network.silero_output.weight.copy_(tensor("decoder.decoder.2.weight").reshape(1, -1))
        network.silero_output.bias.copy_(tensor("decoder.decoder.2.bias").reshape(1))
    return network


def pruned(network, spectra, channel_count=96, cell_count=112, bin_count=113):
    """Returns a smaller network with the channels, cells and bins that have the most effect on the next layer."""
    small = Network(channel_count, cell_count, bin_count)
    with torch.no_grad():
        outputs = network.convolution_outputs(spectra.reshape(-1, BINS, FRAMES))
        state = network.cells(outputs[3].reshape(*spectra.shape[:2], -1))[0]
        best = lambda effect, count: effect.argsort(descending=True)[:count].sort()[0]
        first, second, last = network.convolutions[0], network.convolutions[1], network.convolutions[3]
        channels = best(outputs[0].mean((0, 2)) * second.weight.abs().sum((0, 2)), channel_count)
        points = best(outputs[3].mean((0, 2)) * network.cells.weight_ih_l0.abs().sum(0), cell_count)
        output_weights = network.silero_output.weight[0].abs() + network.more_findings.weight.abs().sum(0)
        effect = state.abs().mean((0, 1)) * network.cells.weight_hh_l0.abs().sum(0)
        cells = best(effect + 10 * torch.relu(state).mean((0, 1)) * output_weights, cell_count)
        gates = torch.cat([cells + CELLS * gate for gate in range(4)])
        # The bias stands for the mean of the omitted bins.
        omitted = spectra[:, :, bin_count:].mean((0, 1, 3))
        state_dict = {
            "convolutions.0.weight": first.weight[channels][:, :bin_count],
            "convolutions.0.bias": first.bias[channels]
            + torch.einsum("ock,c->o", first.weight[channels][:, bin_count:], omitted),
            "convolutions.1.weight": second.weight[:, channels],
            "convolutions.3.weight": last.weight[points],
            "convolutions.3.bias": last.bias[points],
            "cells.weight_ih_l0": network.cells.weight_ih_l0[gates][:, points],
            "cells.weight_hh_l0": network.cells.weight_hh_l0[gates][:, cells],
            "cells.bias_ih_l0": network.cells.bias_ih_l0[gates],
            "cells.bias_hh_l0": network.cells.bias_hh_l0[gates],
            "silero_output.weight": network.silero_output.weight[:, cells],
            "more_findings.weight": network.more_findings.weight[:, cells],
        }
        small.load_state_dict({**network.state_dict(), **state_dict})
    return small


def spectra_of(sounds):
    """Maps [sounds, samples] to magnitudes [sounds, chunks, bins, frames]."""
    count, samples = sounds.shape
    chunks = samples // CHUNK
    padded = functional.pad(sounds[:, : chunks * CHUNK], (64, 0))
    blocks = padded.unfold(1, CHUNK + 64, CHUNK).reshape(count * chunks, 1, -1)
    frames = functional.pad(blocks, (0, 64), mode="reflect")[:, 0].unfold(1, WINDOW, WINDOW // 2)
    window = torch.hann_window(WINDOW)
    return torch.fft.rfft(frames * window).abs().transpose(1, 2).reshape(count, chunks, BINS, FRAMES)


def levels_of(sounds):
    """The level of each step relative to the steps before it, over all frequencies and over the high ones."""
    steps = sounds.shape[1] // STEP
    delayed = torch.cat([torch.zeros_like(sounds[:, :1]), sounds[:, :-1]], 1)

    def decibel(signal):
        power = (signal[:, : steps * STEP].reshape(-1, steps, STEP) ** 2).mean(2)
        return 10 * torch.log10(power + 1e-9)

    def with_history(level, count):
        """Repeats the first level `count` times before the sound."""
        return torch.cat([level[:, :1].expand(-1, count), level], 1)

    whole, high = decibel(sounds), decibel(sounds - 0.95 * delayed)
    features = []
    for level in (whole, high):
        softest = with_history(level, 150).unfold(1, 151, 1).min(2)[0]
        loudest = with_history(level, 100).unfold(1, 101, 1).max(2)[0]
        features += [(level - softest) / 20 - 0.5, (level - loudest) / 20]
        features += [(level - with_history(level, 1)[:, :-1]) / 10, (level - with_history(level, 3)[:, :-3]) / 10]
    mean = with_history(whole, 100).unfold(1, 101, 1).mean(2)
    return torch.stack(features + [(whole - mean) / 20, (high - whole) / 10], 2)


def step_levels(sound):
    """The level of each step of 10 ms, in dB."""
    steps = len(sound) // STEP
    return 10 * np.log10((sound[: steps * STEP].reshape(steps, STEP) ** 2).mean(1) + 1e-12)
