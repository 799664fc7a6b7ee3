"""Training scenes: random mixtures of speech in rooms and noises, and synthetic noises."""

import glob
import math
import os
import wave

import numpy as np

from network import RATE, STEP, step_levels

SAMPLES = int(6.4 * RATE)
STEPS = SAMPLES // STEP
LOUDEST_DB = -22
# dB below the loudest step of a clip: above the first a step is speech, below the second it is not.
VOICE_WITHIN_DB = 20
NONE_BELOW_DB = 34


def read(path):
    with wave.open(path) as sound:
        return np.frombuffer(sound.readframes(sound.getnframes()), np.int16).astype(np.float32) / 32768


def read_all(folder):
    """Reads names and sounds of at least 0.1 s."""
    files = sorted(glob.glob(os.path.join(folder, "*.wav")))
    sounds = [(os.path.basename(file), read(file)) for file in files]
    return [(name, sound) for name, sound in sounds if len(sound) >= RATE / 10]


def loudest(sound):
    return np.percentile(step_levels(sound), 97)


def paced(sound, by):
    return np.interp(np.arange(int(len(sound) / by)) * by, np.arange(len(sound)), sound).astype(np.float32)


def in_a_room(sound, chance):
    seconds = chance.uniform(0.08, 0.6)
    time = np.arange(int(RATE * seconds)) / RATE
    answer = chance.normal(size=len(time)) * 10 ** (-3 * time / seconds)
    answer[: int(RATE * 0.002)] = 0
    answer *= 10 ** (chance.uniform(-18, 2) / 20) / np.sqrt((answer**2).sum() + 1e-9)
    answer[0] = 1
    size = 1 << math.ceil(math.log2(len(sound) + len(answer)))
    whole = np.fft.irfft(np.fft.rfft(sound, size) * np.fft.rfft(answer, size), size)
    return whole[: len(sound)].astype(np.float32)


def coloured(sound, chance):
    """Filters a sound like a microphone or a telephone line."""
    spectrum = np.fft.rfft(sound)
    hertz = np.fft.rfftfreq(len(sound), 1 / RATE)
    gain = np.ones(len(hertz))
    if chance.random() < 0.35:
        gain /= np.sqrt(1 + (chance.uniform(60, 400) / (hertz + 1)) ** 4)
    if chance.random() < 0.3:
        gain /= np.sqrt(1 + (hertz / chance.uniform(3000, 7500)) ** 8)
    gain *= 10 ** (chance.uniform(-6, 6) * np.log2(np.maximum(hertz, 60) / 1000) / 40)
    return np.fft.irfft(spectrum * gain, len(sound)).astype(np.float32)


def by_rule(chance, count):
    kind = chance.integers(0, 8)
    white = chance.normal(size=count)
    hertz = np.fft.rfftfreq(count, 1 / RATE)
    time = np.arange(count) / RATE
    if kind == 0:
        return white.astype(np.float32)
    if kind == 1:
        return np.fft.irfft(np.fft.rfft(white) / np.sqrt(hertz + 20) ** chance.uniform(0.5, 2.4), count)
    if kind == 2:
        mains = 2 * np.pi * chance.uniform(45, 400) * time
        tones = range(1, chance.integers(2, 14))
        return sum(chance.uniform(0, 1) / n * np.sin(n * mains + chance.uniform(0, 6)) for n in tones) + 0.03 * white
    if kind == 3:
        return knocks(chance, count)
    if kind == 4:
        low = chance.uniform(50, 3000)
        spectrum = np.fft.rfft(white)
        spectrum[(hertz < low) | (hertz > low * chance.uniform(1.3, 4))] *= 0.03
        swell = 1 + chance.uniform(0, 1) * np.sin(2 * np.pi * chance.uniform(0.3, 9) * time)
        return np.fft.irfft(spectrum, count) * swell
    made = calls(chance, count, is_tune=kind == 7)
    return made / (made.std() + 1e-6) + 0.01 * white


def knocks(chance, count):
    sound = np.zeros(count)
    for at in np.sort(chance.integers(0, count, size=chance.integers(3, 40))):
        time = np.arange(min(count - at, int(RATE * chance.uniform(0.004, 0.12)))) / RATE
        hit = chance.normal(size=len(time)) * chance.uniform(0, 1)
        hit += np.sin(2 * np.pi * chance.uniform(150, 4000) * time)
        sound[at : at + len(time)] += chance.uniform(0.2, 1) * hit * np.exp(-time * chance.uniform(20, 300))
    return sound


def calls(chance, count, is_tune):
    """Tones that glide and swell like animal calls, or step like a tune."""
    sound = np.zeros(count)
    at = int(chance.uniform(0, 0.5) * RATE)
    is_bird = chance.random() < 0.5
    base = chance.uniform(900, 3500) if is_bird else chance.uniform(50, 700)
    resonance, tilt = chance.uniform(300, 3000), chance.uniform(0.5, 2)
    tones = 1 + int(chance.integers(0, 3)) if is_bird else int(chance.integers(5, 20))
    while at < count:
        length = min(count - at, int(RATE * chance.uniform(0.05, 0.9)))
        way = np.arange(length) / length
        if is_tune:
            pitch = base * 2 ** (chance.integers(-7, 8) / 12) * np.ones(length)
            swell = np.exp(-way * chance.uniform(0, 5))
        else:
            glide = chance.uniform(-0.6, 0.6) * way ** chance.uniform(0.5, 2) + chance.uniform(-0.3, 0.3)
            pitch = base * 2**glide
            ends = np.minimum(way * chance.uniform(3, 40), (1 - way) * chance.uniform(1, 20))
            swell = np.minimum(1, ends)
        pitch = pitch * (1 + 0.02 * chance.random() * np.sin(2 * np.pi * chance.uniform(3, 30) * way * length / RATE))
        phase = 2 * np.pi * np.cumsum(pitch) / RATE
        if is_tune and chance.random() < 0.5:
            for third in chance.choice([3, 4, 7, 12], size=chance.integers(1, 4)):
                chord = (np.sin(2 ** (third / 12) * n * phase) * n**-tilt for n in range(1, min(tones, 6)))
                sound[at : at + length] += sum(chord, np.zeros(length)) / 3 * swell
        for n in range(1, tones + 1):
            loud = n**-tilt / (1 + ((n * pitch.mean() - resonance) / (resonance * 0.5)) ** 2)
            sound[at : at + length] += np.where(n * pitch < 7500, 1, 0) * np.sin(n * phase) * loud * swell
        at += length + int(RATE * chance.choice([0.02, chance.uniform(0, 1.2)]))
    return sound


class Scenes:
    """Makes scenes from loaded voices and noises; a scene's number is its seed."""

    def __init__(self, voices, noises):
        self.voices = [sound for _, sound in voices]
        self.noises = [sound for _, sound in noises]
        worth = np.clip([len(sound) / RATE for sound in self.noises], 0.3, 8) ** 0.7
        is_music = np.array([name[:2] in ("wm", "hy", "sp") for name, _ in noises])
        self.any_noise, self.music = worth / worth.sum(), worth * is_music / (worth * is_music).sum()

    def voice(self, chance):
        sound = self.voices[chance.integers(len(self.voices))]
        if chance.random() < 0.4:
            sound = paced(sound, chance.uniform(0.85, 1.2))
        sound = sound[: 6 * RATE]
        return sound * 10 ** ((LOUDEST_DB - loudest(sound)) / 20)

    def noise(self, chance, count):
        kind = chance.random()
        if kind < 0.22:
            return np.asarray(by_rule(chance, count), np.float32)
        sound = self.noises[chance.choice(len(self.noises), p=self.any_noise if kind < 0.75 else self.music)]
        if chance.random() < 0.5:
            sound = paced(sound, 2 ** chance.uniform(-0.8, 0.8))
        if chance.random() < 0.08:
            sound = sound[::-1]
        if len(sound) < RATE / 20:
            sound = np.pad(sound, (0, RATE // 20))
        if chance.random() < 0.4 and len(sound) < count:
            sound = np.concatenate([sound, np.zeros(int(chance.uniform(0, 1.5) * RATE), np.float32)])
        at = chance.integers(len(sound))
        sound = np.tile(sound, math.ceil((count + len(sound)) / len(sound)))[at : at + count]
        if chance.random() < 0.2:
            other = self.noise(chance, count)
            sound = sound / (sound.std() + 1e-6) + other / (other.std() + 1e-6) * chance.uniform(0.2, 1)
        return sound.astype(np.float32)

    def babble(self, chance, count):
        sound = np.zeros(count, np.float32)
        for _ in range(chance.integers(4, 8)):
            at = -int(chance.uniform(0, 3) * RATE)
            while at < count:
                one = self.voice(chance)
                part = one[max(0, -at) :][: count - max(at, 0)]
                sound[max(at, 0) : max(at, 0) + len(part)] += part
                at += len(one) + int(chance.uniform(0, 0.25) * RATE)
        return sound

    def spoken(self, chance):
        """Speech with pauses."""
        sound = np.zeros(SAMPLES, np.float32)
        at = int(chance.choice([chance.uniform(0.9, 1.1), chance.uniform(0, 2)]) * RATE)
        is_first = True
        while at < SAMPLES - RATE / 4:
            one = self.voice(chance) * (1 if is_first else 10 ** (chance.uniform(-3, 3) / 20))
            part = one[: SAMPLES - at]
            sound[at : at + len(part)] += part
            at += len(part) + int(chance.choice([chance.uniform(0.1, 0.6), chance.uniform(0.5, 3)]) * RATE)
            is_first = False
        return sound

    def scene(self, number):
        """A sound, the label of each step (1 speech, 0 none, -1 ambiguous), and the weight of each step."""
        chance = np.random.default_rng(number)
        if chance.random() < 0.28:
            labels, worth = np.zeros(STEPS, np.int8), np.ones(STEPS, np.float32)
            sound = self.noise(chance, SAMPLES)
            if chance.random() < 0.25:
                sound[: int(chance.uniform(0, 2) * RATE)] *= 10 ** (-chance.uniform(20, 80) / 20)
        else:
            sound, labels, worth = self.voice_in_noise(chance)
        if chance.random() < 0.2:
            sound = coloured(sound, chance)
        wanted_db = chance.uniform(-50, -8) if chance.random() < 0.5 else chance.uniform(-28, -16)
        sound = np.clip(sound * 10 ** ((wanted_db - loudest(sound)) / 20), -1, 1)
        sound += chance.normal(size=SAMPLES) * 10 ** (chance.uniform(-100, -75) / 20)
        return sound.astype(np.float32), labels, worth

    def voice_in_noise(self, chance):
        voice = self.spoken(chance)
        if chance.random() < 0.4:
            voice = in_a_room(voice, chance)
        if chance.random() < 0.4:
            voice = coloured(voice, chance)
        levels = step_levels(voice)
        heard = levels[levels > -100]
        top = np.percentile(heard, 97) if len(heard) > 10 else 0
        labels = np.where(levels > top - VOICE_WITHIN_DB, 1, np.where(levels < top - NONE_BELOW_DB, 0, -1))
        voice_db = 10 * np.log10(np.mean(10 ** (levels[labels == 1] / 10)) + 1e-12) if (labels == 1).any() else -30
        kind = chance.random()
        if kind < 0.12:
            noise, snr_db = chance.normal(size=SAMPLES), chance.uniform(30, 70)
        elif kind < 0.34:
            noise, snr_db = self.babble(chance, SAMPLES), chance.uniform(-1, 20)
        else:
            noise, snr_db = self.noise(chance, SAMPLES), chance.uniform(-3, 22)
        noise = noise * 10 ** ((voice_db - snr_db) / 20) / (np.sqrt(np.mean(noise**2)) + 1e-7)
        # Mistaking babble for speech is less wrong than mistaking a bark for it.
        none = 0.7 if 0.12 <= kind < 0.34 else 1
        return voice + noise, labels, np.where(labels == -1, 0, np.where(labels == 0, none, 1)).astype(np.float32)
