"""Random training talks: a person and a loudspeaker in a simulated room. A talk's number is its seed."""

import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "learn-voices"))
from scenes import coloured, loudest, paced, read_all, Scenes  # noqa: E402

RATE = 16000
SECONDS = 12
SAMPLES = SECONDS * RATE


def convolved(sound, answer):
    size = 1 << int(np.ceil(np.log2(len(sound) + len(answer))))
    return np.fft.irfft(np.fft.rfft(sound, size) * np.fft.rfft(answer, size), size)[: len(sound)]


def room(chance, near_db=(-6, 14)):
    """A room impulse response: direct sound, early reflections, and a tail whose high frequencies decay faster."""
    seconds = chance.choice([chance.uniform(0.12, 0.4), chance.uniform(0.3, 0.9)])
    count = int(RATE * min(0.7, seconds))
    time = np.arange(count) / RATE
    slow, fast = 10 ** (-3 * time / seconds), 10 ** (-3 * time / (seconds * chance.uniform(0.4, 0.9)))
    noise = chance.normal(size=count)
    low = np.convolve(noise, np.ones(6) / 6, "same")
    tail = low * slow + (noise - low) * fast
    tail *= 1 - np.exp(-time / chance.uniform(0.002, 0.02))
    answer = tail / np.sqrt((tail**2).sum() + 1e-12)
    early = np.zeros(count)
    for _ in range(chance.integers(3, 25)):
        at = min(count - 1, int(RATE * chance.uniform(0.0005, 0.03)))
        early[at] += chance.normal() * 10 ** (-at / RATE * 25)
    early[0] += 1
    early /= np.sqrt((early**2).sum())
    return early * 10 ** (chance.uniform(*near_db) / 20) + answer


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

    def speaker(self, chance):
        return self.speakers[chance.integers(len(self.speakers))]

    def utterance(self, chance, seconds, voices):
        """Words of one speaker at similar levels, with short pauses."""
        parts, length = [], 0
        pace = chance.uniform(0.85, 1.2)
        while length < seconds * RATE:
            one = voices[chance.integers(len(voices))]
            one = paced(one, pace)[: 5 * RATE]
            one = one * 10 ** ((-22 - loudest(one) + chance.uniform(-3, 3)) / 20)
            pause = np.zeros(int(RATE * chance.choice([chance.uniform(0, 0.08), chance.uniform(0.1, 0.5)])))
            parts += [one, pause]
            length += len(one) + len(pause)
        return np.concatenate(parts)[: int(seconds * RATE)].astype(np.float32)

    def spoken(self, chance, turns):
        sound = np.zeros(SAMPLES, np.float32)
        voices = self.speaker(chance)
        for at, seconds in turns:
            start = int(at * RATE)
            one = self.utterance(chance, seconds, voices)[: SAMPLES - start]
            sound[start : start + len(one)] += one
        return sound

    def answers(self, chance):
        """The far end: spoken answers with pauses, sometimes music or noise."""
        turns, at = [], chance.choice([0.0, chance.uniform(0, 1.5)])
        while at < SECONDS - 0.5:
            seconds = chance.uniform(1, 9)
            turns.append((at, min(seconds, SECONDS - at)))
            at += seconds + chance.choice([chance.uniform(0.3, 0.9), chance.uniform(0.6, 3)])
        played = self.spoken(chance, turns)
        if chance.random() < 0.1:
            played = self.scenes.noise(chance, SAMPLES) * (np.abs(played).max() > 0)
            played = played * 10 ** ((-22 - loudest(played)) / 20)
        return played * 10 ** (chance.uniform(-14, 10) / 20)

    def persons(self, chance):
        kind = chance.random()
        if kind < 0.3:
            return np.zeros(SAMPLES, np.float32)
        turns, at = [], chance.uniform(0, 3) if kind < 0.75 else chance.uniform(0, 8)
        while at < SECONDS - 0.4:
            seconds = chance.uniform(0.3, 4)
            turns.append((at, min(seconds, SECONDS - at)))
            at += seconds + chance.choice([chance.uniform(0.2, 1), chance.uniform(1, 5)])
        return self.spoken(chance, turns)

    def loudspeaker(self, chance, sound):
        """Simulates a small loudspeaker: no bass, one resonance, distortion of loud sound."""
        spectrum = np.fft.rfft(sound)
        hertz = np.fft.rfftfreq(len(sound), 1 / RATE)
        spectrum /= np.sqrt(1 + (chance.uniform(40, 450) / (hertz + 1)) ** 4)
        spectrum *= 1 + chance.uniform(0, 2.5) / (1 + ((hertz - chance.uniform(300, 3500)) / chance.uniform(50, 400)) ** 2)
        sound = np.fft.irfft(spectrum, len(sound))
        kind = chance.random()
        top = np.percentile(np.abs(sound[sound != 0]), 99.5) if (sound != 0).any() else 1
        drive = chance.uniform(0.3, 3)
        x = sound / (top + 1e-9) * drive
        if kind < 0.2:
            bent = x
        elif kind < 0.5:
            bent = np.tanh(x)
        elif kind < 0.7:
            bent = np.clip(x, -chance.uniform(0.5, 1), chance.uniform(0.5, 1))
        elif kind < 0.9:
            bent = x / (1 + np.abs(x)) + chance.uniform(0, 0.15) * x * np.abs(x)
        else:
            bent = np.where(x > 0, np.tanh(1.5 * x), np.tanh(0.7 * x))
        if chance.random() < 0.15:
            bent = bent + chance.uniform(0.005, 0.05) * chance.normal(size=len(bent)) * np.abs(bent)
        return bent

    def echo(self, chance, played, is_broken):
        bent = self.loudspeaker(chance, played)
        answer = room(chance, (-4, 14))
        sound = convolved(bent, answer)
        if chance.random() < 0.45:
            # The person or the computer moves.
            shaken = room(chance, (-4, 14)) if chance.random() < (0.7 if is_broken else 0.4) else answer * (1 + 0.6 * chance.normal(size=len(answer)))
            other = convolved(bent, shaken)
            at, over = chance.uniform(2, 10) * RATE, (0.01 if is_broken else chance.uniform(0.01, 3)) * RATE
            mix = np.clip((np.arange(SAMPLES) - at) / over, 0, 1)
            if chance.random() < 0.3:
                mix = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(SAMPLES) / RATE * chance.uniform(0.1, 0.7))
            sound = sound * (1 - mix) + other * mix
        late = int(RATE * chance.choice([chance.uniform(0, 0.03), chance.uniform(0, 0.12), chance.uniform(0, 0.4)], p=[0.45, 0.45, 0.1]))
        place = np.arange(SAMPLES) - late
        if chance.random() < 0.15:
            place = place * (1 + chance.uniform(-60e-6, 60e-6))
        if chance.random() < (0.75 if is_broken else 0.2):
            # Playback stalls for a moment and continues at an unexpected time.
            for _ in range(chance.choice([1, 2, 4, chance.integers(5, 22)] if is_broken else [1, 1, 2, chance.integers(3, 14)])):
                jump = chance.uniform(-0.03, 0.06) * RATE
                place = place - np.where(np.arange(SAMPLES) > chance.uniform(1, 11) * RATE, jump, 0)
        return np.interp(place, np.arange(SAMPLES), sound, left=0, right=0)

    def talk(self, number):
        """Returns the microphone, the far end, and the parts of speech and noise in the microphone."""
        chance = np.random.default_rng(number)
        played = np.clip(self.answers(chance), -1, 1)
        # In every fourth talk, devices stall and jump.
        is_broken = number % 4 == 0
        person = self.persons(chance)
        if chance.random() < 0.85:
            person = convolved(person, room(chance, (-2, 18)))
        if chance.random() < 0.4:
            person = coloured(person, chance)
        if np.abs(person).max() > 0:
            person = person * 10 ** ((chance.uniform(-42, -14) - loudest(person)) / 20)
        echo = self.echo(chance, played, is_broken)
        level = chance.uniform(-48, -12) if chance.random() < 0.88 else chance.uniform(-110, -60)
        if np.abs(echo).max() > 0:
            echo = echo * 10 ** ((level - loudest(echo)) / 20)
        noise = chance.normal(size=SAMPLES)
        if chance.random() < 0.7:
            hertz = np.fft.rfftfreq(SAMPLES, 1 / RATE)
            noise = np.fft.irfft(np.fft.rfft(noise) / np.sqrt(hertz + 30) ** chance.uniform(0.3, 2), SAMPLES)
        noise = noise / noise.std() * 10 ** (chance.uniform(-90, -52) / 20)
        if chance.random() < 0.2:
            other = self.scenes.noise(chance, SAMPLES)
            noise = noise + other * 10 ** ((chance.uniform(-60, -26) - loudest(other)) / 20)
        whole = person + echo + noise
        most = np.abs(whole).max()
        if chance.random() < 0.06 or most > 1:
            bound = most * chance.uniform(0.4, 0.9) if most <= 1 else 1
            whole = np.clip(whole, -bound, bound)
        return np.stack([whole, played, person, noise]).astype(np.float32)


def main():
    sounds, into, first, last = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    talks = Talks(read_all(f"{sounds}/speech"), read_all(f"{sounds}/noise"))
    os.makedirs(into, exist_ok=True)
    for number in range(first, last):
        talks.talk(number).tofile(f"{into}/{number}.f32")


if __name__ == "__main__":
    main()
