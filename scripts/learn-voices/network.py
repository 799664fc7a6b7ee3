"""The voice detector's network and the level features it uses, computed as in electron/audio/detection."""

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

RATE = 16000
STEP = 160
CHUNK = 512
WINDOW = 256
FRAMES = 4
BINS = 129
CELLS = 128
FINDINGS = 8
LEVELS = 10
functional = nn.functional


class Network(nn.Module):
    def __init__(self, channels=128, cells=CELLS, bins=BINS):
        super().__init__()
        self.bins = bins
        self.narrow = nn.ModuleList(
            [
                nn.Conv1d(bins, channels, 3, 1, 1),
                nn.Conv1d(channels, 64, 3, 2, 1),
                nn.Conv1d(64, 64, 3, 2, 1),
                nn.Conv1d(64, cells, 3, 1, 1),
            ]
        )
        self.cells = nn.LSTM(cells, cells, batch_first=True)
        self.own = nn.Linear(cells, 1)
        self.more = nn.Linear(cells, FINDINGS - 1)
        self.together = nn.Linear(FINDINGS + LEVELS, 24)
        self.voice = nn.Linear(24, 1)

    def narrowed(self, spectra):
        """Maps [chunks, bins, frames] to the output of each layer."""
        now, made = spectra[:, : self.bins], []
        for layer in self.narrow:
            now = torch.relu(layer(now))
            made.append(now)
        return made

    def forward(self, spectra, levels):
        """Maps spectra [sounds, chunks, bins, frames] and levels [sounds, steps, 10] to a logit per step."""
        sounds, chunks = spectra.shape[:2]
        points = self.narrowed(spectra.reshape(sounds * chunks, BINS, FRAMES))[-1]
        said = torch.relu(self.cells(points.reshape(sounds, chunks, -1))[0])
        findings = torch.cat([0.3 * self.own(said), torch.tanh(self.more(said))], 2)
        first = torch.zeros(sounds, 1, FINDINGS)
        first[:, 0, 0] = -1
        # A step sees the chunks that end before it does.
        known = torch.clamp((torch.arange(levels.shape[1]) + 1) * STEP // CHUNK, max=chunks)
        findings = torch.cat([first, findings], 1)[:, known]
        between = torch.relu(self.together(torch.cat([findings, levels], 2)))
        return self.voice(between)[..., 0] + 0.5 / 0.3 * findings[..., 0]

    def weighing(self):
        """The parameters that Silero does not have."""
        parts = (self.more, self.together, self.voice)
        return [weights for part in parts for weights in part.parameters()]


def read_silero(file):
    """Silero VAD v5 for 16 kHz, from its ONNX file."""
    found = {}

    def walk(graph):
        for node in graph.node:
            for attribute in node.attribute:
                if node.op_type == "Constant" and attribute.name == "value":
                    found[node.output[0]] = numpy_helper.to_array(attribute.t)
                if attribute.name == "then_branch" and node.output[0].startswith("If_0_outputs"):
                    walk(attribute.g)

    walk(onnx.load(file).graph)
    tensor = lambda name: torch.tensor(found["If_0_then_branch__Inline_0__" + name].copy())
    network = Network()
    with torch.no_grad():
        for at, layer in enumerate(network.narrow):
            layer.weight.copy_(tensor(f"encoder.{at}.reparam_conv.weight"))
            layer.bias.copy_(tensor(f"encoder.{at}.reparam_conv.bias"))
        for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
            getattr(network.cells, f"{name}_l0").copy_(tensor(f"decoder.rnn.{name}"))
        network.own.weight.copy_(tensor("decoder.decoder.2.weight").reshape(1, -1))
        network.own.bias.copy_(tensor("decoder.decoder.2.bias").reshape(1))
    return network


def without_the_least(network, spectra, channels=96, cells=112, bins=113):
    """Prunes channels, cells and bins; keeps those with the most effect on the next layer."""
    small = Network(channels, cells, bins)
    with torch.no_grad():
        made = network.narrowed(spectra.reshape(-1, BINS, FRAMES))
        said = network.cells(made[3].reshape(*spectra.shape[:2], -1))[0]
        most = lambda worth, count: worth.argsort(descending=True)[:count].sort()[0]
        first, last = network.narrow[0], network.narrow[3]
        after = network.narrow[1]
        rows = most(made[0].mean((0, 2)) * after.weight.abs().sum((0, 2)), channels)
        points = most(made[3].mean((0, 2)) * network.cells.weight_ih_l0.abs().sum(0), cells)
        told = network.own.weight[0].abs() + network.more.weight.abs().sum(0)
        worth = said.abs().mean((0, 1)) * network.cells.weight_hh_l0.abs().sum(0)
        kept = most(worth + 10 * torch.relu(said).mean((0, 1)) * told, cells)
        gates = torch.cat([kept + CELLS * gate for gate in range(4)])
        beyond = spectra[:, :, bins:].mean((0, 1, 3))
        state = {
            "narrow.0.weight": first.weight[rows][:, :bins],
            "narrow.0.bias": first.bias[rows] + torch.einsum("ock,c->o", first.weight[rows][:, bins:], beyond),
            "narrow.1.weight": after.weight[:, rows],
            "narrow.3.weight": last.weight[points],
            "narrow.3.bias": last.bias[points],
            "cells.weight_ih_l0": network.cells.weight_ih_l0[gates][:, points],
            "cells.weight_hh_l0": network.cells.weight_hh_l0[gates][:, kept],
            "cells.bias_ih_l0": network.cells.bias_ih_l0[gates],
            "cells.bias_hh_l0": network.cells.bias_hh_l0[gates],
            "own.weight": network.own.weight[:, kept],
            "more.weight": network.more.weight[:, kept],
        }
        small.load_state_dict({**network.state_dict(), **state})
    return small


def spectra_of(sounds):
    """Maps [sounds, samples] to magnitudes [sounds, chunks, bins, frames]."""
    count, samples = sounds.shape
    chunks = samples // CHUNK
    padded = functional.pad(sounds[:, : chunks * CHUNK], (64, 0))
    cut = padded.unfold(1, CHUNK + 64, CHUNK).reshape(count * chunks, 1, -1)
    frames = functional.pad(cut, (0, 64), mode="reflect")[:, 0].unfold(1, WINDOW, WINDOW // 2)
    shape = torch.hann_window(WINDOW)
    return torch.fft.rfft(frames * shape).abs().transpose(1, 2).reshape(count, chunks, BINS, FRAMES)


def levels_of(sounds):
    """The level of each step relative to the steps before it, over all frequencies and over the high ones."""
    steps = sounds.shape[1] // STEP
    before = torch.cat([torch.zeros_like(sounds[:, :1]), sounds[:, :-1]], 1)

    def decibel(signal):
        power = (signal[:, : steps * STEP].reshape(-1, steps, STEP) ** 2).mean(2)
        return 10 * torch.log10(power + 1e-9)

    def ago(level, count):
        return torch.cat([level[:, :1].expand(-1, count), level], 1)

    whole, high = decibel(sounds), decibel(sounds - 0.95 * before)
    told = []
    for level in (whole, high):
        softest = ago(level, 150).unfold(1, 151, 1).min(2)[0]
        loudest = ago(level, 100).unfold(1, 101, 1).max(2)[0]
        told += [(level - softest) / 20 - 0.5, (level - loudest) / 20]
        told += [(level - ago(level, 1)[:, :-1]) / 10, (level - ago(level, 3)[:, :-3]) / 10]
    mean = ago(whole, 100).unfold(1, 101, 1).mean(2)
    return torch.stack(told + [(whole - mean) / 20, (high - whole) / 10], 2)


def step_levels(sound):
    steps = len(sound) // STEP
    return 10 * np.log10((sound[: steps * STEP].reshape(steps, STEP) ** 2).mean(1) + 1e-12)
