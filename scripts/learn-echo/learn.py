"""Trains the echo suppressor:   python3 learn.py FEATURES NETWORK.pt [MINUTES] [FROM.pt]

First talks.py and features.mjs make the features:   python3 talks.py SOUNDS TALKS 0 2000; node features.mjs TALKS FEATURES
(SOUNDS as learn-voices/fetch-sounds.sh lays them out). Afterwards write.py writes the network as TypeScript. The number of
minutes matters: the steps become smaller towards their end.
"""

import glob
import os
import sys
import time

import numpy as np
import torch

from echo_network import BANDS, EchoNetwork, FEATURES

WIDTH = FEATURES + 2 * BANDS
FRAMES = 300
BATCH = 48
# Share of room noise that the target keeps: -17 dB.
NOISE_KEPT = 0.02
QUIETEST = 1e-7


def read(file):
    """Reads bfloat16 features; six hours take 1.5 GB."""
    return np.fromfile(file, np.uint16).reshape(-1, WIDTH)


def numbers(halves):
    return torch.from_numpy((halves.astype(np.uint32) << 16).view(np.float32).copy())


def loss_of(network, rows, worth, parts=False):
    gains, voice, _ = network(rows[..., :FEATURES])
    rest = 10 ** rows[..., :BANDS]
    person = 10 ** rows[..., FEATURES : FEATURES + BANDS]
    noise = 10 ** rows[..., FEATURES + BANDS :]
    wanted = torch.minimum(person + NOISE_KEPT * noise, rest) + QUIETEST
    out = torch.sigmoid(gains) ** 2 * rest + QUIETEST
    level = (10 ** rows[..., BANDS : 2 * BANDS]).mean((1, 2), keepdim=True) + 1e-4
    off = (out / level) ** 0.15 - (wanted / level) ** 0.15
    # Lost speech costs more than residual echo.
    taken = torch.where(off < 0, 2.5, 1.0)
    spectral = (taken * off**2).mean(-1)
    loud = torch.log10(person.sum(-1) + QUIETEST)
    top = loud.max(1, keepdim=True).values
    is_voice = (loud > top - 2.2) & (loud > -1.5)
    is_none = loud < -2.5
    # Without speech, each residual decibel above an audible floor costs.
    floor = level.squeeze(-1) * 1e-5
    whole = torch.log10(out.sum(-1) + floor) - torch.log10(wanted.sum(-1) + floor)
    deep = torch.where(is_none, torch.relu(whole), torch.zeros_like(whole))
    # With speech, each decibel of attenuation costs.
    lost = torch.where(is_voice, torch.relu(-whole), torch.zeros_like(whole))
    told = torch.nn.functional.binary_cross_entropy_with_logits(voice, is_voice.float(), reduction="none")
    told = told * (is_voice | is_none)
    mean = lambda x: (x * worth).sum() / worth.sum()
    all_parts = [mean(spectral), mean(deep), mean(lost), mean(told)]
    total = all_parts[0] + 0.08 * all_parts[1] + 0.04 * all_parts[2] + 0.02 * all_parts[3]
    return (total, all_parts) if parts else total


def varied(rows, chance):
    """Augments features as if with other microphones and loudspeakers."""
    count = len(rows)
    place = np.linspace(-1, 1, BANDS)

    def colour(level):
        tilt = chance.uniform(-4, 4, (count, 1)) * place + chance.uniform(-4, 4, (count, 1)) * np.cos(np.pi * chance.uniform(0.5, 3, (count, 1)) * place + chance.uniform(0, 6, (count, 1)))
        return (chance.uniform(-level, level, (count, 1)) + tilt) / 10

    heard, played = colour(8), colour(8)
    same = np.zeros((count, BANDS))
    offset = np.concatenate([heard, heard, heard, played, same, heard, heard], 1).astype(np.float32)
    rows += torch.from_numpy(offset)[:, None, :]
    powers = torch.ones(WIDTH, dtype=torch.bool)
    powers[4 * BANDS : 5 * BANDS] = False
    rows[..., powers] = rows[..., powers].clamp_min(-7)
    return rows


def crop(halves, chance):
    start = 0 if len(halves) <= FRAMES or chance.random() < 0.5 else chance.integers(len(halves) - FRAMES)
    part = halves[start : start + FRAMES]
    worth = np.ones(FRAMES, np.float32)
    if len(part) < FRAMES:
        worth[len(part) :] = 0
        part = np.concatenate([part, np.repeat(part[-1:], FRAMES - len(part), 0)])
    return part, worth


def main():
    folder, into = sys.argv[1], sys.argv[2]
    minutes = float(sys.argv[3]) if len(sys.argv) > 3 else 20
    torch.manual_seed(1)
    chance = np.random.default_rng(1)
    files = sorted(glob.glob(f"{folder}/*.features"), key=lambda file: int(os.path.basename(file).split(".")[0]))
    talks = [read(file) for file in files]
    talks = [talk for talk in talks if len(talk) > 100]
    held, talks = talks[:60], talks[60:]
    print(len(talks), "talks", sum(map(len, talks)) / 360000, "hours", flush=True)
    network = EchoNetwork()
    if len(sys.argv) > 4:
        network.load_state_dict(torch.load(sys.argv[4]))
    top = 1.5e-3 if len(sys.argv) <= 4 else 6e-4
    steps = torch.optim.Adam(network.parameters(), top)
    begun, count, sums = time.time(), 0, []
    while time.time() - begun < minutes * 60:
        part = (time.time() - begun) / (minutes * 60)
        for group in steps.param_groups:
            group["lr"] = top * min(1, (count + 1) / 100) * (0.5 + 0.5 * np.cos(np.pi * part)) + 1e-5
        rows, worth = zip(*(crop(talks[chance.integers(len(talks))], chance) for _ in range(BATCH)))
        total, parts = loss_of(network, varied(numbers(np.stack(rows)), chance), torch.from_numpy(np.stack(worth)), True)
        steps.zero_grad()
        total.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        steps.step()
        sums.append([total.item(), *(p.item() for p in parts)])
        count += 1
        if count % 50 == 0:
            with torch.no_grad():
                heldout = np.random.default_rng(2)
                rows, worth = zip(*(crop(talk, heldout) for talk in held))
                tested, tparts = loss_of(network, numbers(np.stack(rows)), torch.from_numpy(np.stack(worth)), True)
            print(f"{(time.time() - begun) / 60:.1f} min {count}", np.round(np.mean(sums, 0), 4), "held", round(tested.item(), 4), [round(p.item(), 4) for p in tparts], flush=True)
            sums = []
            torch.save(network.state_dict(), into)
    torch.save(network.state_dict(), into)


if __name__ == "__main__":
    main()
