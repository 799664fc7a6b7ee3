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
# Labels, in dB below a voice's loud steps: up to the first limit a step is speech, beyond the second it is silence, and between
# them it has no label.
MAX_SPEECH_DEPTH_DB = 20
MIN_SILENCE_DEPTH_DB = 34
# The first steps of speech after a pause have more weight, so that the detector notices short words in time.
PAUSE = 30
ONSET = 25
ONSET_WEIGHT = 2.5


def read(path):
    with wave.open(path) as sound:
        return np.frombuffer(sound.readframes(sound.getnframes()), np.int16).astype(np.float32) / 32768


def read_all(folder):
    """Reads names and sounds of at least 0.1 s."""
    files = sorted(glob.glob(os.path.join(folder, "*.wav")))
    sounds = [(os.path.basename(file), read(file)) for file in files]
    return [(name, sound) for name, sound in sounds if len(sound) >= RATE / 10]


def loudest(sound):
    """The level of the loud steps, in dB: only 3 % are louder."""
    return np.percentile(step_levels(sound), 97)


def paced(sound, speed):
    """Plays a sound faster and higher, or below 1 slower and lower."""
    return np.interp(np.arange(int(len(sound) / speed)) * speed, np.arange(len(sound)), sound).astype(np.float32)


def syllable(sound, rng):
    """Cuts 0.12 to 0.5 s out of a sound, from a step in which it becomes loud, and fades out."""
    is_loud = step_levels(sound) > loudest(sound) - MAX_SPEECH_DEPTH_DB
    rises = np.flatnonzero(is_loud[3:] & ~is_loud[2:-1]) + 3
    begin = (rises[rng.integers(len(rises))] - 2 if len(rises) else 0) * STEP
    part = sound[begin : begin + int(RATE * rng.uniform(0.12, 0.5))].copy()
    fade = min(len(part), int(RATE * rng.uniform(0.02, 0.08)))
    part[len(part) - fade :] *= np.linspace(1, 0, fade)
    return part if len(part) > RATE // 12 and (part != 0).any() else sound[: 6 * RATE]


def in_a_room(sound, rng):
    seconds = rng.uniform(0.08, 0.6)
    time = np.arange(int(RATE * seconds)) / RATE
    response = rng.normal(size=len(time)) * 10 ** (-3 * time / seconds)
    response[: int(RATE * 0.002)] = 0
    response *= 10 ** (rng.uniform(-18, 2) / 20) / np.sqrt((response**2).sum() + 1e-9)
    response[0] = 1
    size = 1 << math.ceil(math.log2(len(sound) + len(response)))
    whole = np.fft.irfft(np.fft.rfft(sound, size) * np.fft.rfft(response, size), size)
    return whole[: len(sound)].astype(np.float32)


def coloured(sound, rng):
    """Filters a sound like a microphone or a telephone line."""
    spectrum = np.fft.rfft(sound)
    hertz = np.fft.rfftfreq(len(sound), 1 / RATE)
    gain = np.ones(len(hertz))
    if rng.random() < 0.35:
        gain /= np.sqrt(1 + (rng.uniform(60, 400) / (hertz + 1)) ** 4)
    if rng.random() < 0.3:
        gain /= np.sqrt(1 + (hertz / rng.uniform(3000, 7500)) ** 8)
    gain *= 10 ** (rng.uniform(-6, 6) * np.log2(np.maximum(hertz, 60) / 1000) / 40)
    return np.fft.irfft(spectrum * gain, len(sound)).astype(np.float32)


def synthetic_noise(rng, count):
    """White or coloured noise, hum, knocks, a noise band that swells, animal calls, or a tune."""
    kind = rng.integers(0, 8)
    white = rng.normal(size=count)
    hertz = np.fft.rfftfreq(count, 1 / RATE)
    time = np.arange(count) / RATE
    if kind == 0:
        return white.astype(np.float32)
    if kind == 1:
        return np.fft.irfft(np.fft.rfft(white) / np.sqrt(hertz + 20) ** rng.uniform(0.5, 2.4), count)
    if kind == 2:
        mains = 2 * np.pi * rng.uniform(45, 400) * time
        tones = range(1, rng.integers(2, 14))
        return sum(rng.uniform(0, 1) / n * np.sin(n * mains + rng.uniform(0, 6)) for n in tones) + 0.03 * white
    if kind == 3:
        return knocks(rng, count)
    if kind == 4:
        low = rng.uniform(50, 3000)
        spectrum = np.fft.rfft(white)
        spectrum[(hertz < low) | (hertz > low * rng.uniform(1.3, 4))] *= 0.03
        swell = 1 + rng.uniform(0, 1) * np.sin(2 * np.pi * rng.uniform(0.3, 9) * time)
        return np.fft.irfft(spectrum, count) * swell
    tones = calls(rng, count, is_tune=kind == 7)
    return tones / (tones.std() + 1e-6) + 0.01 * white


def knocks(rng, count):
    sound = np.zeros(count)
    for at in np.sort(rng.integers(0, count, size=rng.integers(3, 40))):
        time = np.arange(min(count - at, int(RATE * rng.uniform(0.004, 0.12)))) / RATE
        hit = rng.normal(size=len(time)) * rng.uniform(0, 1)
        hit += np.sin(2 * np.pi * rng.uniform(150, 4000) * time)
        sound[at : at + len(time)] += rng.uniform(0.2, 1) * hit * np.exp(-time * rng.uniform(20, 300))
    return sound


def calls(rng, count, is_tune):
    """Tones that glide and swell like animal calls, or step like a tune."""
    sound = np.zeros(count)
    at = int(rng.uniform(0, 0.5) * RATE)
    is_bird = rng.random() < 0.5
    base = rng.uniform(900, 3500) if is_bird else rng.uniform(50, 700)
    resonance, tilt = rng.uniform(300, 3000), rng.uniform(0.5, 2)
    tones = 1 + int(rng.integers(0, 3)) if is_bird else int(rng.integers(5, 20))
    while at < count:
        length = min(count - at, int(RATE * rng.uniform(0.05, 0.9)))
        progress = np.arange(length) / length
        if is_tune:
            pitch = base * 2 ** (rng.integers(-7, 8) / 12) * np.ones(length)
            swell = np.exp(-progress * rng.uniform(0, 5))
        else:
            glide = rng.uniform(-0.6, 0.6) * progress ** rng.uniform(0.5, 2) + rng.uniform(-0.3, 0.3)
            pitch = base * 2**glide
            ends = np.minimum(progress * rng.uniform(3, 40), (1 - progress) * rng.uniform(1, 20))
            swell = np.minimum(1, ends)
        pitch = pitch * (1 + 0.02 * rng.random() * np.sin(2 * np.pi * rng.uniform(3, 30) * progress * length / RATE))
        phase = 2 * np.pi * np.cumsum(pitch) / RATE
        if is_tune and rng.random() < 0.5:
            for third in rng.choice([3, 4, 7, 12], size=rng.integers(1, 4)):
                chord = (np.sin(2 ** (third / 12) * n * phase) * n**-tilt for n in range(1, min(tones, 6)))
                sound[at : at + length] += sum(chord, np.zeros(length)) / 3 * swell
        for n in range(1, tones + 1):
            loud = n**-tilt / (1 + ((n * pitch.mean() - resonance) / (resonance * 0.5)) ** 2)
            sound[at : at + length] += np.where(n * pitch < 7500, 1, 0) * np.sin(n * phase) * loud * swell
        at += length + int(RATE * rng.choice([0.02, rng.uniform(0, 1.2)]))
    return sound


class Scenes:
    """Makes scenes from loaded voices and noises; a scene's number is its seed."""

    def __init__(self, voices, noises):
        self.voices = [sound for _, sound in voices]
        self.noises = [sound for _, sound in noises]
        duration_weights = np.clip([len(sound) / RATE for sound in self.noises], 0.3, 8) ** 0.7
        is_music = np.array([name[:2] in ("wm", "hy", "sp") for name, _ in noises])
        music_weights = duration_weights * is_music
        animal_weights = duration_weights * np.array([name[:2] == "an" for name, _ in noises])
        # Probabilities with which a noise is chosen.
        self.any_noise = duration_weights / duration_weights.sum()
        self.music = music_weights / music_weights.sum()
        self.animals = animal_weights / animal_weights.sum()

    def voice(self, rng):
        sound = self.voices[rng.integers(len(self.voices))]
        if rng.random() < 0.4:
            sound = paced(sound, rng.uniform(0.85, 1.2))
        sound = syllable(sound, rng) if rng.random() < 0.3 else sound[: 6 * RATE]
        return sound * 10 ** ((LOUDEST_DB - loudest(sound)) / 20)

    def noise(self, rng, count):
        kind = rng.random()
        if kind < 0.22:
            return np.asarray(synthetic_noise(rng, count), np.float32)
        probabilities = self.any_noise if kind < 0.62 else self.animals if kind < 0.75 else self.music
        sound = self.noises[rng.choice(len(self.noises), p=probabilities)]
        if rng.random() < 0.5:
            sound = paced(sound, 2 ** rng.uniform(-0.8, 0.8))
        if rng.random() < 0.08:
            sound = sound[::-1]
        if len(sound) < RATE / 20:
            sound = np.pad(sound, (0, RATE // 20))
        if rng.random() < 0.4 and len(sound) < count:
            sound = np.concatenate([sound, np.zeros(int(rng.uniform(0, 1.5) * RATE), np.float32)])
        at = rng.integers(len(sound))
        sound = np.tile(sound, math.ceil((count + len(sound)) / len(sound)))[at : at + count]
        if rng.random() < 0.2:
            other = self.noise(rng, count)
            sound = sound / (sound.std() + 1e-6) + other / (other.std() + 1e-6) * rng.uniform(0.2, 1)
        return sound.astype(np.float32)

    def babble(self, rng, count):
        """Several people who speak at once."""
        sound = np.zeros(count, np.float32)
        for _ in range(rng.integers(4, 8)):
            at = -int(rng.uniform(0, 3) * RATE)
            while at < count:
                one = self.voice(rng)
                part = one[max(0, -at) :][: count - max(at, 0)]
                sound[max(at, 0) : max(at, 0) + len(part)] += part
                at += len(one) + int(rng.uniform(0, 0.25) * RATE)
        return sound

    def spoken(self, rng):
        """Speech with pauses."""
        sound = np.zeros(SAMPLES, np.float32)
        at = int(rng.choice([rng.uniform(0.9, 1.1), rng.uniform(0, 2)]) * RATE)
        is_first = True
        while at < SAMPLES - RATE / 4:
            one = self.voice(rng) * (1 if is_first else 10 ** (rng.uniform(-3, 3) / 20))
            part = one[: SAMPLES - at]
            sound[at : at + len(part)] += part
            at += len(part) + int(rng.choice([rng.uniform(0.1, 0.6), rng.uniform(0.5, 3)]) * RATE)
            is_first = False
        return sound

    def scene(self, number):
        """A sound, the label of each step (1 speech, 0 silence, -1 ambiguous), and the weight of each step."""
        rng = np.random.default_rng(number)
        if rng.random() < 0.28:
            labels, weights = np.zeros(STEPS, np.int8), np.ones(STEPS, np.float32)
            sound = self.noise(rng, SAMPLES)
            if rng.random() < 0.25:
                sound[: int(rng.uniform(0, 2) * RATE)] *= 10 ** (-rng.uniform(20, 80) / 20)
        else:
            sound, labels, weights = self.voice_in_noise(rng)
        if rng.random() < 0.2:
            sound = coloured(sound, rng)
        wanted_db = rng.uniform(-50, -8) if rng.random() < 0.5 else rng.uniform(-28, -16)
        sound = np.clip(sound * 10 ** ((wanted_db - loudest(sound)) / 20), -1, 1)
        sound += rng.normal(size=SAMPLES) * 10 ** (rng.uniform(-100, -75) / 20)
        return sound.astype(np.float32), labels, weights

    def voice_in_noise(self, rng):
        voice = self.spoken(rng)
        if rng.random() < 0.4:
            voice = in_a_room(voice, rng)
        if rng.random() < 0.5:
            voice = coloured(voice, rng)
        levels = step_levels(voice)
        heard = levels[levels > -100]
        top = np.percentile(heard, 97) if len(heard) > 10 else 0
        labels = np.where(levels > top - MAX_SPEECH_DEPTH_DB, 1, np.where(levels < top - MIN_SILENCE_DEPTH_DB, 0, -1))
        voice_db = 10 * np.log10(np.mean(10 ** (levels[labels == 1] / 10)) + 1e-12) if (labels == 1).any() else -30
        kind = rng.random()
        if kind < 0.12:
            noise, snr_db = rng.normal(size=SAMPLES), rng.uniform(30, 70)
        elif kind < 0.34:
            noise, snr_db = self.babble(rng, SAMPLES), rng.uniform(-1, 20)
        else:
            noise, snr_db = self.noise(rng, SAMPLES), rng.uniform(-3, 22)
        noise = noise * 10 ** ((voice_db - snr_db) / 20) / (np.sqrt(np.mean(noise**2)) + 1e-7)
        # Mistaking babble for speech is less wrong than mistaking a bark for it.
        silence_weight = 0.7 if 0.12 <= kind < 0.34 else 1
        weights = np.where(labels == -1, 0, np.where(labels == 0, silence_weight, 1)).astype(np.float32)
        speech = np.flatnonzero(labels == 1)
        for at, before in zip(speech, np.concatenate([[-PAUSE], speech[:-1]])):
            if at - before >= PAUSE:
                weights[at : at + ONSET][labels[at : at + ONSET] == 1] *= ONSET_WEIGHT
        return voice + noise, labels, weights
