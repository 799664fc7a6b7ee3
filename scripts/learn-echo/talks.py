"""Random training talks:   python3 talks.py SOUNDS TALKS FIRST LAST

Each is a person and a loudspeaker in a simulated room. A talk's number, from FIRST to LAST - 1, is its seed.
"""

import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "learn-voices"))
from scenes import coloured, loudest, paced, read_all, Scenes  # noqa: E402

RATE = 16000
SECONDS = 12
SAMPLES = SECONDS * RATE


def convolved(sound, response):
    size = 1 << int(np.ceil(np.log2(len(sound) + len(response))))
    return np.fft.irfft(np.fft.rfft(sound, size) * np.fft.rfft(response, size), size)[: len(sound)]


def room(rng, near_db=(-6, 14)):
    """A room impulse response: direct sound, early reflections, and a tail whose high frequencies decay faster."""
    seconds = rng.choice([rng.uniform(0.12, 0.4), rng.uniform(0.3, 0.9)])
    count = int(RATE * min(0.7, seconds))
    time = np.arange(count) / RATE
    slow, fast = 10 ** (-3 * time / seconds), 10 ** (-3 * time / (seconds * rng.uniform(0.4, 0.9)))
    noise = rng.normal(size=count)
    low = np.convolve(noise, np.ones(6) / 6, "same")
    tail = low * slow + (noise - low) * fast
    tail *= 1 - np.exp(-time / rng.uniform(0.002, 0.02))
    reverberation = tail / np.sqrt((tail**2).sum() + 1e-12)
    early = np.zeros(count)
    for _ in range(rng.integers(3, 25)):
        at = min(count - 1, int(RATE * rng.uniform(0.0005, 0.03)))
        early[at] += rng.normal() * 10 ** (-at / RATE * 25)
    early[0] += 1
    early /= np.sqrt((early**2).sum())
    return early * 10 ** (rng.uniform(*near_db) / 20) + reverberation


class Talks:
    def __init__(self, speech, noises):
        self.scenes = Scenes(speech, noises)
        speakers = {}
        for name, sound in speech:
            parts = name.split("-")
            # Syllables whose names end alike belong to one speaker.
            who = parts[0] + "-" + (parts[2] if parts[0] == "gc" and len(parts) > 2 else parts[1])
            speakers.setdefault(who, []).append(sound)
        self.speakers = [sounds for sounds in speakers.values() if sum(map(len, sounds)) > 2 * RATE]

    def speaker(self, rng):
        return self.speakers[rng.integers(len(self.speakers))]

    def utterance(self, rng, seconds, voices):
        """Words of one speaker at similar levels, with short pauses."""
        parts, length = [], 0
        pace = rng.uniform(0.85, 1.2)
        while length < seconds * RATE:
            one = voices[rng.integers(len(voices))]
            one = paced(one, pace)[: 5 * RATE]
            one = one * 10 ** ((-22 - loudest(one) + rng.uniform(-3, 3)) / 20)
            pause = np.zeros(int(RATE * rng.choice([rng.uniform(0, 0.08), rng.uniform(0.1, 0.5)])))
            parts += [one, pause]
            length += len(one) + len(pause)
        return np.concatenate(parts)[: int(seconds * RATE)].astype(np.float32)

    def spoken(self, rng, turns):
        sound = np.zeros(SAMPLES, np.float32)
        voices = self.speaker(rng)
        for at, seconds in turns:
            start = int(at * RATE)
            one = self.utterance(rng, seconds, voices)[: SAMPLES - start]
            sound[start : start + len(one)] += one
        return sound

    def answers(self, rng):
        """The far end: spoken answers with pauses, sometimes music or noise."""
        turns, at = [], rng.choice([0.0, rng.uniform(0, 1.5)])
        while at < SECONDS - 0.5:
            seconds = rng.uniform(1, 9)
            turns.append((at, min(seconds, SECONDS - at)))
            at += seconds + rng.choice([rng.uniform(0.3, 0.9), rng.uniform(0.6, 3)])
        played = self.spoken(rng, turns)
        if rng.random() < 0.1:
            played = self.scenes.noise(rng, SAMPLES) * (np.abs(played).max() > 0)
            played = played * 10 ** ((-22 - loudest(played)) / 20)
        return played * 10 ** (rng.uniform(-14, 10) / 20)

    def near_end(self, rng):
        """The person in front of the microphone; silent in three talks of ten."""
        kind = rng.random()
        if kind < 0.3:
            return np.zeros(SAMPLES, np.float32)
        turns, at = [], rng.uniform(0, 3) if kind < 0.75 else rng.uniform(0, 8)
        while at < SECONDS - 0.4:
            seconds = rng.uniform(0.3, 4)
            turns.append((at, min(seconds, SECONDS - at)))
            at += seconds + rng.choice([rng.uniform(0.2, 1), rng.uniform(1, 5)])
        return self.spoken(rng, turns)

    def loudspeaker(self, rng, sound):
        """Simulates a small loudspeaker: no bass, one resonance, distortion of loud sound."""
        spectrum = np.fft.rfft(sound)
        hertz = np.fft.rfftfreq(len(sound), 1 / RATE)
        spectrum /= np.sqrt(1 + (rng.uniform(40, 450) / (hertz + 1)) ** 4)
        spectrum *= 1 + rng.uniform(0, 2.5) / (1 + ((hertz - rng.uniform(300, 3500)) / rng.uniform(50, 400)) ** 2)
        sound = np.fft.irfft(spectrum, len(sound))
        kind = rng.random()
        top = np.percentile(np.abs(sound[sound != 0]), 99.5) if (sound != 0).any() else 1
        drive = rng.uniform(0.3, 3)
        x = sound / (top + 1e-9) * drive
        if kind < 0.2:
            distorted = x
        elif kind < 0.5:
            distorted = np.tanh(x)
        elif kind < 0.7:
            distorted = np.clip(x, -rng.uniform(0.5, 1), rng.uniform(0.5, 1))
        elif kind < 0.9:
            distorted = x / (1 + np.abs(x)) + rng.uniform(0, 0.15) * x * np.abs(x)
        else:
            distorted = np.where(x > 0, np.tanh(1.5 * x), np.tanh(0.7 * x))
        if rng.random() < 0.15:
            distorted = distorted + rng.uniform(0.005, 0.05) * rng.normal(size=len(distorted)) * np.abs(distorted)
        return distorted

    def echo(self, rng, played, has_stalls):
        distorted = self.loudspeaker(rng, played)
        response = room(rng, (-4, 14))
        sound = convolved(distorted, response)
        if rng.random() < 0.45:
            # The person or the computer moves.
            moved_response = room(rng, (-4, 14)) if rng.random() < (0.7 if has_stalls else 0.4) else response * (1 + 0.6 * rng.normal(size=len(response)))
            moved_sound = convolved(distorted, moved_response)
            at, over = rng.uniform(2, 10) * RATE, (0.01 if has_stalls else rng.uniform(0.01, 3)) * RATE
            mix = np.clip((np.arange(SAMPLES) - at) / over, 0, 1)
            if rng.random() < 0.3:
                mix = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(SAMPLES) / RATE * rng.uniform(0.1, 0.7))
            sound = sound * (1 - mix) + moved_sound * mix
        delay = int(RATE * rng.choice([rng.uniform(0, 0.03), rng.uniform(0, 0.12), rng.uniform(0, 0.4)], p=[0.45, 0.45, 0.1]))
        position = np.arange(SAMPLES) - delay
        if rng.random() < 0.15:
            position = position * (1 + rng.uniform(-60e-6, 60e-6))
        if rng.random() < (0.75 if has_stalls else 0.2):
            # Playback stalls for a moment and continues at an unexpected time.
            for _ in range(rng.choice([1, 2, 4, rng.integers(5, 22)] if has_stalls else [1, 1, 2, rng.integers(3, 14)])):
                jump = rng.uniform(-0.03, 0.06) * RATE
                position = position - np.where(np.arange(SAMPLES) > rng.uniform(1, 11) * RATE, jump, 0)
        return np.interp(position, np.arange(SAMPLES), sound, left=0, right=0)

    def talk(self, number):
        """Returns the microphone, the far end, and the parts of speech and noise in the microphone."""
        rng = np.random.default_rng(number)
        played = np.clip(self.answers(rng), -1, 1)
        # In every fourth talk, the sound devices stall and jump.
        has_stalls = number % 4 == 0
        person = self.near_end(rng)
        if rng.random() < 0.85:
            person = convolved(person, room(rng, (-2, 18)))
        if rng.random() < 0.4:
            person = coloured(person, rng)
        if np.abs(person).max() > 0:
            person = person * 10 ** ((rng.uniform(-42, -14) - loudest(person)) / 20)
        echo = self.echo(rng, played, has_stalls)
        level = rng.uniform(-48, -12) if rng.random() < 0.88 else rng.uniform(-110, -60)
        if np.abs(echo).max() > 0:
            echo = echo * 10 ** ((level - loudest(echo)) / 20)
        noise = rng.normal(size=SAMPLES)
        if rng.random() < 0.7:
            hertz = np.fft.rfftfreq(SAMPLES, 1 / RATE)
            noise = np.fft.irfft(np.fft.rfft(noise) / np.sqrt(hertz + 30) ** rng.uniform(0.3, 2), SAMPLES)
        noise = noise / noise.std() * 10 ** (rng.uniform(-90, -52) / 20)
        if rng.random() < 0.2:
            other = self.scenes.noise(rng, SAMPLES)
            noise = noise + other * 10 ** ((rng.uniform(-60, -26) - loudest(other)) / 20)
        whole = person + echo + noise
        peak = np.abs(whole).max()
        if rng.random() < 0.06 or peak > 1:
            bound = peak * rng.uniform(0.4, 0.9) if peak <= 1 else 1
            whole = np.clip(whole, -bound, bound)
        return np.stack([whole, played, person, noise]).astype(np.float32)


def main():
    sounds, folder, first, last = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    talks = Talks(read_all(f"{sounds}/speech"), read_all(f"{sounds}/noise"))
    os.makedirs(folder, exist_ok=True)
    for number in range(first, last):
        talks.talk(number).tofile(f"{folder}/{number}.f32")


if __name__ == "__main__":
    main()
