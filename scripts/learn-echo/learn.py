"""Trains the echo suppressor:   python3 learn.py FEATURES NETWORK.pt [MINUTES] [FROM.pt]

First talks.py and features.mjs make the features:   python3 talks.py SOUNDS TALKS 0 2000; node features.mjs TALKS FEATURES
(learn-voices/fetch-sounds.sh fetches SOUNDS). Afterwards write.py writes the network as TypeScript. The learning rate falls to
almost zero over MINUTES, so a run that is stopped early has not converged. FROM.pt is a network to continue from.
"""

import glob
import os
import sys
import time

import numpy as np
import torch

from echo_network import BANDS, EchoNetwork, FEATURES

# A row has the features, and the log powers of near-end speech and of noise in each band.
WIDTH = FEATURES + 2 * BANDS
# Rows of 10 ms in a training example.
FRAMES = 300
BATCH = 48
# Share of room noise that the target contains: -17 dB.
NOISE_SHARE = 0.02
MIN_POWER = 1e-7


def read(file):
    """Reads rows of bfloat16 numbers as integers; six hours take 1 GB."""
    return np.fromfile(file, np.uint16).reshape(-1, WIDTH)


def to_floats(bfloat16):
    return torch.from_numpy((bfloat16.astype(np.uint32) << 16).view(np.float32).copy())


def loss_of(network, rows, weights):
    """Returns the loss and its terms: spectral error, residual echo, attenuated speech and voice detection."""
    gains, voice, _ = network(rows[..., :FEATURES])
    residual = 10 ** rows[..., :BANDS]
    speech = 10 ** rows[..., FEATURES : FEATURES + BANDS]
    noise = 10 ** rows[..., FEATURES + BANDS :]
    target = torch.minimum(speech + NOISE_SHARE * noise, residual) + MIN_POWER
    output = torch.sigmoid(gains) ** 2 * residual + MIN_POWER
    captured_level = (10 ** rows[..., BANDS : 2 * BANDS]).mean((1, 2), keepdim=True) + 1e-4
    error = (output / captured_level) ** 0.15 - (target / captured_level) ** 0.15
    # Lost speech costs more than residual echo.
    spectral = (torch.where(error < 0, 2.5, 1.0) * error**2).mean(-1)
    speech_level = torch.log10(speech.sum(-1) + MIN_POWER)
    is_voice = (speech_level > speech_level.max(1, keepdim=True).values - 2.2) & (speech_level > -1.5)
    is_silence = speech_level < -2.5
    audible_floor = captured_level.squeeze(-1) * 1e-5
    # Over all bands: positive if the output is louder than the target.
    excess = torch.log10(output.sum(-1) + audible_floor) - torch.log10(target.sum(-1) + audible_floor)
    echo = torch.where(is_silence, torch.relu(excess), torch.zeros_like(excess))
    attenuation = torch.where(is_voice, torch.relu(-excess), torch.zeros_like(excess))
    detection = torch.nn.functional.binary_cross_entropy_with_logits(voice, is_voice.float(), reduction="none")
    # Steps between voice and silence have no label.
    detection = detection * (is_voice | is_silence)
    terms = [(term * weights).sum() / weights.sum() for term in (spectral, echo, attenuation, detection)]
    return terms[0] + 0.08 * terms[1] + 0.04 * terms[2] + 0.02 * terms[3], terms


def augment(rows, rng):
    """Changes the spectra in place, as other microphones and loudspeakers would."""
    count = len(rows)
    position = np.linspace(-1, 1, BANDS)

    def colour(max_level_db):
        def uniform(low, high):
            return rng.uniform(low, high, (count, 1))

        tilt = uniform(-4, 4) * position
        ripple = uniform(-4, 4) * np.cos(np.pi * uniform(0.5, 3) * position + uniform(0, 6))
        return (uniform(-max_level_db, max_level_db) + (tilt + ripple)) / 10

    microphone, loudspeaker = colour(8), colour(8)
    unchanged = np.zeros((count, BANDS))
    # In the order of a row: residual, captured sound, expected echo, far end, coherence, speech and noise.
    offset = np.concatenate([microphone, microphone, microphone, loudspeaker, unchanged, microphone, microphone], 1)
    rows += torch.from_numpy(offset.astype(np.float32))[:, None, :]
    is_power = torch.ones(WIDTH, dtype=torch.bool)
    is_power[4 * BANDS : 5 * BANDS] = False
    rows[..., is_power] = rows[..., is_power].clamp_min(-7)
    return rows


def crop(talk, rng):
    """Returns FRAMES rows of a talk, the first ones half of the time, and their weights: 0 for padding."""
    start = 0 if len(talk) <= FRAMES or rng.random() < 0.5 else rng.integers(len(talk) - FRAMES)
    rows = talk[start : start + FRAMES]
    weights = np.ones(FRAMES, np.float32)
    if len(rows) < FRAMES:
        weights[len(rows) :] = 0
        rows = np.concatenate([rows, np.repeat(rows[-1:], FRAMES - len(rows), 0)])
    return rows, weights


def batch_of(crops):
    rows, weights = zip(*crops)
    return to_floats(np.stack(rows)), torch.from_numpy(np.stack(weights))


def main():
    folder, output_file = sys.argv[1], sys.argv[2]
    minutes = float(sys.argv[3]) if len(sys.argv) > 3 else 20
    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    files = sorted(glob.glob(f"{folder}/*.features"), key=lambda file: int(os.path.basename(file).split(".")[0]))
    talks = [read(file) for file in files]
    talks = [talk for talk in talks if len(talk) > 100]
    validation_talks, talks = talks[:60], talks[60:]
    print(len(talks), "talks", sum(map(len, talks)) / 360000, "hours", flush=True)
    network = EchoNetwork()
    if len(sys.argv) > 4:
        network.load_state_dict(torch.load(sys.argv[4]))
    max_rate = 1.5e-3 if len(sys.argv) <= 4 else 6e-4
    optimizer = torch.optim.Adam(network.parameters(), max_rate)
    began, steps, losses = time.time(), 0, []
    while time.time() - began < minutes * 60:
        progress = (time.time() - began) / (minutes * 60)
        for group in optimizer.param_groups:
            group["lr"] = max_rate * min(1, (steps + 1) / 100) * (0.5 + 0.5 * np.cos(np.pi * progress)) + 1e-5
        rows, weights = batch_of(crop(talks[rng.integers(len(talks))], rng) for _ in range(BATCH))
        loss, terms = loss_of(network, augment(rows, rng), weights)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        losses.append([loss.item(), *(term.item() for term in terms)])
        steps += 1
        if steps % 50 == 0:
            with torch.no_grad():
                validation_rng = np.random.default_rng(2)
                loss, terms = loss_of(network, *batch_of(crop(talk, validation_rng) for talk in validation_talks))
            print(
                f"{(time.time() - began) / 60:.1f} min {steps}",
                np.round(np.mean(losses, 0), 4),
                "validation",
                round(loss.item(), 4),
                [round(term.item(), 4) for term in terms],
                flush=True,
            )
            losses = []
            torch.save(network.state_dict(), output_file)
    torch.save(network.state_dict(), output_file)


if __name__ == "__main__":
    main()
