"""Trains the voice detector: learn.py DIR, the folder made by fetch-sounds.sh; writes electron/audio/learned/voice-weights.ts.

Needs numpy, torch and onnx (Debian: python3-torch python3-onnx). Starts from Silero VAD v5, trains it to detect speech in steps
of 10 ms, prunes channels, cells and bins with little effect, and trains the smaller network. Takes about 25 minutes on one core.
"""

import argparse
import math
import os

import numpy as np
import torch

from network import CHUNK, levels_of, pruned, read_silero, spectra_of
from scenes import Scenes, read_all
from weights import write_weights

HERE = os.path.dirname(os.path.abspath(__file__))
WEIGHTS_FILE = os.path.join(HERE, "..", "..", "electron", "audio", "learned", "voice-weights.ts")
# Scenes in a round.
SCENES = 16
# Rounds of the whole and of the pruned network, for the published weights.
ROUNDS = (105, 1400)


def label(silero, sounds):
    """Yields Silero's likelihoods of speech, one per chunk, for each sound. Sounds are sorted by length."""
    for at in range(0, len(sounds), 32):
        batch = sounds[at : at + 32]
        padded = np.zeros((len(batch), max(CHUNK, max(len(sound) for _, sound in batch))), np.float32)
        for row, (_, sound) in zip(padded, batch):
            row[: len(sound)] = sound / (np.sqrt(np.mean(sound**2)) + 1e-6) * 0.05
        with torch.no_grad():
            spectra = spectra_of(torch.tensor(padded))
            points = silero.convolution_outputs(spectra.reshape(-1, *spectra.shape[2:]))[-1]
            state = torch.relu(silero.cells(points.reshape(*spectra.shape[:2], -1))[0])
            likelihoods = torch.sigmoid(silero.silero_output(state))[..., 0].numpy()
        for row, (_, sound) in zip(likelihoods, batch):
            yield row[: max(1, len(sound) // CHUNK)]


def load_scenes(silero, folder):
    """Loads voices with speech, and noises without."""
    by_length = lambda name: sorted(read_all(os.path.join(folder, name)), key=lambda entry: len(entry[1]))
    voices, noises = by_length("speech"), by_length("noise")
    is_voice = lambda likely: (likely > 0.5).mean() > 0.12 or (likely > 0.25).mean() > 0.25
    # Drums, orchestras and animals are not speech, even if Silero mistakes them for it.
    is_surely_noise = lambda name: name[:2] in ("hy", "wm", "an")
    used_voices = [entry for entry, likely in zip(voices, label(silero, voices)) if likely.max() > 0.5]
    used_noises = [
        entry
        for entry, likely in zip(noises, label(silero, noises))
        if is_surely_noise(entry[0]) or not is_voice(likely)
    ]
    print(f"{len(used_voices)} of {len(voices)} voices, {len(used_noises)} of {len(noises)} noises")
    return Scenes(used_voices, used_noises)


def train(network, scenes, rounds, first_scene):
    """Trains a network for some rounds, and sets its weights to a moving average over the rounds."""
    added = network.added_parameters()
    from_silero = [weights for weights in network.parameters() if all(weights is not other for other in added)]
    optimizer = torch.optim.Adam([{"params": from_silero}, {"params": added}], betas=(0.9, 0.99))
    average = {name: value.clone() for name, value in network.state_dict().items()}
    for done in range(rounds):
        rate = 3e-4 * min(1, (done + 1) / 10) * (0.5 + 0.5 * math.cos(math.pi * done / rounds)) + 1e-6
        optimizer.param_groups[0]["lr"], optimizer.param_groups[1]["lr"] = rate, 5 * rate
        batch = [scenes.scene(first_scene + done * SCENES + n) for n in range(SCENES)]
        sounds, labels, weights = (torch.tensor(np.stack(part)).float() for part in zip(*batch))
        logits = network(spectra_of(sounds), levels_of(sounds))
        errors = torch.nn.functional.binary_cross_entropy_with_logits(logits, labels.clamp(min=0), reduction="none")
        loss = (errors * weights).sum() / weights.sum()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        share = min(0.98, (done + 1) / (done + 11))
        for name, value in network.state_dict().items():
            average[name].mul_(share).add_(value, alpha=1 - share)
        if done % 20 == 0:
            print(done, f"{loss.item():.4f}", flush=True)
    network.load_state_dict(average)
    return network


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--bias", type=float, default=-0.86, help="added to each logit; below 0, fewer noises count as a voice")
    parser.add_argument("--rounds", type=int, nargs=2, default=ROUNDS, help="of the whole network and of the pruned one")
    parser.add_argument("--to", default=WEIGHTS_FILE)
    options = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    silero = read_silero(os.path.join(options.folder, "silero_vad_v5.onnx"))
    scenes = load_scenes(silero, options.folder)
    whole = train(silero, scenes, options.rounds[0], 10**6)
    sounds = torch.tensor(np.stack([scenes.scene(n + 5)[0] for n in range(12)]))
    small = train(pruned(whole, spectra_of(sounds)), scenes, options.rounds[1], 5 * 10**6)
    write_weights(small, options.to, options.bias)


main()
