"""Trains the voice detector: learn.py DIR, the folder made by fetch-sounds.sh; writes electron/audio/learned/voice-weights.ts.

Needs numpy, torch and onnx (Debian: python3-torch python3-onnx). Begins with Silero VAD v5, teaches all of it where
somebody speaks, to the step of 10 ms, leaves its least channels and cells out and teaches what stays. Some 20 minutes of one core.
"""

import argparse
import math
import os

import numpy as np
import torch

from network import CHUNK, levels_of, read_silero, spectra_of, without_the_least
from scenes import Scenes, read_all
from weights import write_weights

HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = os.path.join(HERE, "..", "..", "electron", "audio", "learned", "voice-weights.ts")
SCENES = 16
# The published weights took this many rounds.
ROUNDS = (105, 1125)


def judged(silero, sounds):
    """Silero's label for each chunk of each sound, sorted by length."""
    for at in range(0, len(sounds), 32):
        some = sounds[at : at + 32]
        together = np.zeros((len(some), max(CHUNK, max(len(sound) for _, sound in some))), np.float32)
        for row, (_, sound) in zip(together, some):
            row[: len(sound)] = sound / (np.sqrt(np.mean(sound**2)) + 1e-6) * 0.05
        with torch.no_grad():
            spectra = spectra_of(torch.tensor(together))
            points = silero.narrowed(spectra.reshape(-1, *spectra.shape[2:]))[-1]
            said = torch.relu(silero.cells(points.reshape(*spectra.shape[:2], -1))[0])
            likely = torch.sigmoid(silero.own(said))[..., 0].numpy()
        for one, (_, sound) in zip(likely, some):
            yield one[: max(1, len(sound) // CHUNK)]


def screened(silero, folder):
    """Drops voices without speech, and noises with speech."""
    by_length = lambda name: sorted(read_all(os.path.join(folder, name)), key=lambda one: len(one[1]))
    voices, noises = by_length("speech"), by_length("noise")
    heard = [one for one, likely in zip(voices, judged(silero, voices)) if likely.max() > 0.5]
    is_voice = lambda likely: (likely > 0.5).mean() > 0.12 or (likely > 0.25).mean() > 0.25
    # Drums, orchestras and animals are not speech, whatever Silero says.
    sure = lambda name: name[:2] in ("hy", "wm", "an")
    quiet = [one for one, likely in zip(noises, judged(silero, noises)) if sure(one[0]) or not is_voice(likely)]
    print(f"{len(heard)} of {len(voices)} voices, {len(quiet)} of {len(noises)} noises")
    return Scenes(heard, quiet)


def taught(network, scenes, rounds, first_scene):
    """Trains for some rounds and returns the mean of the last weights."""
    weighing = network.weighing()
    others = [one for one in network.parameters() if all(one is not other for other in weighing)]
    adam = torch.optim.Adam([{"params": others}, {"params": weighing}], betas=(0.9, 0.99))
    mean = {name: value.clone() for name, value in network.state_dict().items()}
    for done in range(rounds):
        pace = 3e-4 * min(1, (done + 1) / 10) * (0.5 + 0.5 * math.cos(math.pi * done / rounds)) + 1e-6
        adam.param_groups[0]["lr"], adam.param_groups[1]["lr"] = pace, 5 * pace
        made = [scenes.scene(first_scene + done * SCENES + n) for n in range(SCENES)]
        sounds, labels, worth = (torch.tensor(np.stack(part)).float() for part in zip(*made))
        said = network(spectra_of(sounds), levels_of(sounds))
        wrong = torch.nn.functional.binary_cross_entropy_with_logits(said, labels.clamp(min=0), reduction="none")
        loss = (wrong * worth).sum() / worth.sum()
        adam.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        adam.step()
        kept = min(0.98, (done + 1) / (done + 11))
        for name, value in network.state_dict().items():
            mean[name].mul_(kept).add_(value, alpha=1 - kept)
        if done % 20 == 0:
            print(done, f"{loss.item():.4f}", flush=True)
    network.load_state_dict(mean)
    return network


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--bias", type=float, default=-0.5, help="added to each logit: below 0 fewer noises are a voice")
    parser.add_argument("--rounds", type=int, nargs=2, default=ROUNDS, help="of the whole network and of the smaller one")
    parser.add_argument("--to", default=KEPT)
    wanted = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    silero = read_silero(os.path.join(wanted.folder, "silero_vad_v5.onnx"))
    scenes = screened(silero, wanted.folder)
    whole = taught(silero, scenes, wanted.rounds[0], 10**6)
    sounds = torch.tensor(np.stack([scenes.scene(n + 5)[0] for n in range(12)]))
    small = taught(without_the_least(whole, spectra_of(sounds)), scenes, wanted.rounds[1], 5 * 10**6)
    write_weights(small, wanted.to, wanted.bias)


main()
