"""The echo suppressor's network: two recurrent layers that separate near-end speech from residual echo."""

import torch

BANDS = 33
# Per band: log power of the residual, the captured sound, the expected echo and the far end, and the coherence of residual and
# echo.
FEATURES = 5 * BANDS


class EchoNetwork(torch.nn.Module):
    def __init__(self, width=64, cells=56):
        super().__init__()
        self.narrow = torch.nn.Linear(FEATURES, width)
        self.first = torch.nn.GRU(width, cells, batch_first=True)
        self.second = torch.nn.GRU(cells, cells, batch_first=True)
        self.out = torch.nn.Linear(cells, BANDS + 1)

    def forward(self, features, state=(None, None)):
        """Returns logits of the gains and of near-end speech, and the states of both recurrent layers."""
        # Log powers and coherence, brought to about -1 to 1.
        scaled = torch.cat([(features[..., : 4 * BANDS] + 2) / 2, features[..., 4 * BANDS :] * 2 - 1], -1)
        x = torch.relu(self.narrow(scaled))
        x, first_state = self.first(x, state[0])
        x, second_state = self.second(x, state[1])
        logits = self.out(x)
        return logits[..., :BANDS], logits[..., BANDS], (first_state, second_state)
