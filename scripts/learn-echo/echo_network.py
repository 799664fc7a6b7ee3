"""What tells a person from what is left of an echo: two layers that remember."""

import torch

BANDS = 33
# The rest, all that was captured, the expected echo, what is played: in powers of ten; and how alike rest and echo are.
GROUPS = 5
FEATURES = GROUPS * BANDS


class EchoNetwork(torch.nn.Module):
    def __init__(self, width=64, cells=56):
        super().__init__()
        self.narrow = torch.nn.Linear(FEATURES, width)
        self.first = torch.nn.GRU(width, cells, batch_first=True)
        self.second = torch.nn.GRU(cells, cells, batch_first=True)
        self.out = torch.nn.Linear(cells, BANDS + 1)

    def forward(self, features, state=(None, None)):
        """Logits of the gains and of a person; and the state."""
        scaled = torch.cat([(features[..., : 4 * BANDS] + 2) / 2, features[..., 4 * BANDS :] * 2 - 1], -1)
        x = torch.relu(self.narrow(scaled))
        x, one = self.first(x, state[0])
        x, other = self.second(x, state[1])
        out = self.out(x)
        return out[..., :BANDS], out[..., BANDS], (one, other)
