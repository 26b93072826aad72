"""The steps of bench/steps.cpp in PyTorch: the same mathematics, plainly written and as fast as we could make it.

A worker: reads lines "CASE STYLE STEPS" and answers "seconds_of_cpu seconds_of_wall loss" for each.
Styles: `plain` is what one writes first (nn.Embedding, nn.Sequential, torch.optim.Adam over everything: dense Adam);
`sparse` is the same with nn.Embedding(sparse=True) and torch.optim.SparseAdam; `tuned` has lazy rows by hand (the
gathered rows are the leaves, and nothing of the size of a table is touched), one flat vector for all dense weights with
Adam in a few calls in place, shown and drawn rows side by side, and no copy that can be avoided.
"""
import math
import sys
import time
from typing import NamedTuple

import torch
import torch.nn.functional as F

USERS, ITEMS, ROWS, BATCH, WIDTH, Z = 15400, 1000, 311704, 1024, 32, 8
SAMPLES = 256  # of the items, in D's sampled softmax
RATE, BETA1, BETA2, EPSILON, LAMBDA, GAMMA = 0.005, 0.9, 0.999, 1e-8, 1e-3, 0.01
C, S, TOWER, D, PHI = [64, 64, 32, 8], [72, 64, 32, 1], [64, 32, 16, 8, 1], [32, 64, ITEMS], [40, 32]


class Shape(NamedTuple):
    users: int = USERS
    items: int = ITEMS
    rows: int = ROWS


SHAPES = {"large": Shape(1323884, 61275, 2400000)}  # the others have the default


class Log:
    """A random log of the shape of bench/log.h, its batches, and whether a pair was shown."""

    def __init__(self, shape):
        torch.manual_seed(1)
        self.shape = shape
        self.user = torch.randint(shape.users, (shape.rows,))
        self.item = (torch.rand(shape.rows) ** 2 * shape.items).long()
        self.label = torch.randint(2, (shape.rows,)).float()
        self.keys = torch.sort(self.user * shape.items + self.item)[0]
        small = shape.users * shape.items < 1 << 28
        self.shown = torch.zeros(shape.users, shape.items, dtype=torch.bool) if small else None
        if small:
            self.shown[self.user, self.item] = True
        counts = torch.bincount(self.item, minlength=shape.items).double()
        self.law = torch.where(counts > 0, 0.5 * counts / shape.rows + 0.5 / (counts > 0).sum(), counts)
        self.below = torch.cumsum(self.law, 0)
        self.order, self.at = torch.randperm(shape.rows), 0

    def unseen(self, user, item):
        if self.shown is not None:
            return (~self.shown[user, item]).float()
        key = user * self.shape.items + item
        place = torch.searchsorted(self.keys, key).clamp_(max=len(self.keys) - 1)
        return (self.keys[place] != key).float()

    def sample(self):
        """Items by D's law, and the logarithm of how often each is expected in the sample."""
        drawn = torch.searchsorted(self.below, torch.rand(SAMPLES, dtype=torch.double)).clamp_(max=self.shape.items - 1)
        return drawn, (SAMPLES * self.law[drawn]).log_().float()

    def batch(self, drawn):
        if self.at + BATCH > self.shape.rows:
            self.order, self.at = torch.randperm(self.shape.rows), 0
        rows = self.order[self.at : self.at + BATCH]
        self.at += BATCH
        out = [self.user[rows], self.item[rows], self.label[rows]]
        if drawn:
            user, item = torch.randint(self.shape.users, (BATCH,)), torch.randint(self.shape.items, (BATCH,))
            out += [user, item, self.unseen(user, item)]
        return out


# ---- plain and sparse: modules and optimisers as they come ----
def tower(widths, activation):
    layers = []
    for k in range(len(widths) - 1):
        layers.append(torch.nn.Linear(widths[k], widths[k + 1]))
        if k + 2 < len(widths):
            layers.append(activation())
    return torch.nn.Sequential(*layers)


class Plain(torch.nn.Module):
    def __init__(self, case, sparse):
        super().__init__()
        self.case, self.sparse = case, sparse
        embedding = lambda count, width: torch.nn.Embedding(count, width, sparse=sparse)
        self.tables = torch.nn.ModuleList(
            [embedding(USERS, WIDTH), embedding(ITEMS, WIDTH), embedding(USERS, 1), embedding(ITEMS, 1)])
        for table in self.tables:
            torch.nn.init.normal_(table.weight, std=0.1)
        if case == "gmf":
            self.h = torch.nn.Linear(WIDTH, 1)
        else:
            self.f = tower(TOWER, torch.nn.ELU)
        if case == "cbr":
            self.c, self.s, self.phi = tower(C, torch.nn.ReLU), tower(S, torch.nn.ReLU), tower(PHI, torch.nn.ReLU)
            self.d = tower(D, torch.nn.ReLU)
        dense = [p for name, p in self.named_parameters() if not name.startswith(("tables", "d."))]
        tables = list(self.tables.parameters())
        adam = lambda parameters: torch.optim.Adam(parameters, RATE, weight_decay=2 * LAMBDA)
        # SparseAdam knows no weight decay: that variant has none on its tables
        self.moves = [torch.optim.SparseAdam(tables, RATE), adam(dense)] if sparse else [adam(tables + dense)]
        self.moves_d = [adam(list(self.d.parameters()))] if case == "cbr" else []

    def logit(self, user, item, u, i):
        f = self.h(u * i) if self.case == "gmf" else self.f(torch.cat([u, i], 1))
        return (f + self.tables[2](user) + self.tables[3](item)).squeeze(1)

    def parts(self, user, item):
        u, i = self.tables[0](user), self.tables[1](item)
        z = self.c(torch.cat([u, i], 1))
        return u, i, z, self.phi(torch.cat([u, z], 1))

    def fit(self, user, item, label, drawn_user=None, drawn_item=None, unseen=None):
        if self.case != "cbr":
            f = self.logit(user, item, self.tables[0](user), self.tables[1](item))
            return F.binary_cross_entropy_with_logits(f, label)
        u, i, z, phi = self.parts(user, item)
        loss = F.binary_cross_entropy_with_logits(self.logit(user, item, phi, i), label)
        loss = loss - GAMMA * F.cross_entropy(self.d(phi), item)
        du, di, dz, _ = self.parts(drawn_user, drawn_item)
        yes, no = self.s(torch.cat([u, i, z], 1)), self.s(torch.cat([du, di, dz], 1)).squeeze(1)
        return loss + F.softplus(-yes).mean() + (unseen * F.softplus(no)).sum() / (unseen.sum() + 1e-6)

    def step(self, log):
        batch = log.batch(self.case == "cbr")
        if self.case == "cbr":
            with torch.no_grad():
                phi = self.parts(batch[0], batch[1])[3]
            self.move(F.cross_entropy(self.d(phi), batch[1]), self.moves_d)
        loss = self.fit(*batch)
        self.move(loss, self.moves)
        return loss

    @staticmethod
    def move(loss, optimizers):
        for optimizer in optimizers:
            optimizer.zero_grad(set_to_none=True)
        loss.backward()
        for optimizer in optimizers:
            optimizer.step()


# ---- tuned: one flat vector, lazy rows, in place ----
class Adam:
    """Adam in place on one tensor, or on some of its rows."""

    def __init__(self, value):
        self.value, self.t = value, 0
        self.m, self.v, self.sums = torch.zeros_like(value), torch.zeros_like(value), torch.zeros_like(value)

    def factors(self):
        self.t += 1
        return RATE / (1 - BETA1**self.t), 1 / math.sqrt(1 - BETA2**self.t)

    def all(self, gradient):
        rate, root = self.factors()
        gradient.add_(self.value, alpha=2 * LAMBDA)
        self.m.lerp_(gradient, 1 - BETA1)
        self.v.mul_(BETA2).addcmul_(gradient, gradient, value=1 - BETA2)
        self.value.addcdiv_(self.m, self.v.sqrt().mul_(root).add_(EPSILON), value=-rate)

    def rows(self, rows, old, gradient):
        """A row may occur there more than once: each time they get the same numbers, so the last one may win."""
        rate, root = self.factors()
        self.sums.index_add_(0, rows, gradient)
        gradient = self.sums.index_select(0, rows).add_(old, alpha=2 * LAMBDA)
        m = self.m.index_select(0, rows).lerp_(gradient, 1 - BETA1)
        v = self.v.index_select(0, rows).mul_(BETA2).addcmul_(gradient, gradient, value=1 - BETA2)
        self.m.index_copy_(0, rows, m)
        self.v.index_copy_(0, rows, v)
        self.value.index_copy_(0, rows, old.addcdiv(m, v.sqrt_().mul_(root).add_(EPSILON), value=-rate))
        self.sums.index_fill_(0, rows, 0)


class Flat:
    """Layers whose weights are views of one vector; the layers' views are the leaves of the graph."""

    def __init__(self, towers):
        sizes = [(a + 1) * b for widths in towers for a, b in zip(widths, widths[1:])]
        self.adam = Adam(torch.empty(sum(sizes)))
        self.gradient = torch.empty(sum(sizes))
        self.towers, self.leaves, at = [], [], 0
        for widths in towers:
            layers = []
            for a, b in zip(widths, widths[1:]):
                weight, bias = self.view(self.adam.value, at, a, b)
                torch.nn.init.normal_(weight, std=math.sqrt(2 / (a + b)))
                bias.zero_()
                layers.append((weight.requires_grad_(), bias.requires_grad_()))
                self.leaves += layers[-1]
                for leaf, into in zip(layers[-1], self.view(self.gradient, at, a, b)):
                    leaf.grad = into
                at += (a + 1) * b
            self.towers.append(layers)

    @staticmethod
    def view(flat, at, a, b):
        return flat[at : at + a * b].view(a, b), flat[at + a * b : at + (a + 1) * b]

    def start(self):
        self.gradient.zero_()  # the leaves' gradients are views of it: backward adds to them in place

    def move(self):
        with torch.no_grad():
            self.adam.all(self.gradient)


def run(layers, x, activation):
    for k, (weight, bias) in enumerate(layers):
        x = torch.addmm(bias, x, weight)
        if k + 1 < len(layers):
            x = activation(x, inplace=True)
    return x


class Tuned:
    def __init__(self, case, shape):
        self.case, self.cbr = case, case in ("cbr", "large")
        # the last column of a table is the bias: one gather for both
        self.tables = [Adam(torch.randn(count, WIDTH + 1) * 0.1) for count in (shape.users, shape.items)]
        self.net = Flat({"gmf": [[WIDTH, 1]], "mlp": [TOWER]}.get(case, [TOWER, C, S, PHI]))
        self.d = Flat([D[:2] if case == "large" else D]) if self.cbr else None
        self.classes = Adam(torch.randn(shape.items, D[1] + 1) / D[1] ** 0.5) if case == "large" else None

    def gather(self, k, ids):
        return ids, self.tables[k].value.index_select(0, ids).requires_grad_()

    def parts(self, u, i):
        z = run(self.net.towers[1], torch.cat([u, i], 1), F.relu)
        return z, run(self.net.towers[3], torch.cat([u, z], 1), F.relu)

    def cbr_losses(self, both, batch):
        """The exposure's, balance's and fit's parts; shown and drawn rows go through c and p_s together."""
        label, unseen, items = batch[2], batch[5], batch[1]
        (u, user_bias), (i, item_bias) = (rows.split([WIDTH, 1], 1) for _, rows in both)
        ui = torch.cat([u, i], 1)
        z = run(self.net.towers[1], ui, F.relu)
        phi = run(self.net.towers[3], torch.cat([u[:BATCH], z[:BATCH]], 1), F.relu)
        f = run(self.net.towers[0], torch.cat([phi, i[:BATCH]], 1), F.elu)
        f = (f + user_bias[:BATCH] + item_bias[:BATCH]).squeeze(1)
        s = run(self.net.towers[2], torch.cat([ui, z], 1), F.relu).squeeze(1)
        loss = F.binary_cross_entropy_with_logits(f, label)
        loss = loss - GAMMA * self.surprise(phi, items, self.sampled(batch[1]) if self.classes else None)
        no = torch.dot(unseen, F.softplus(s[BATCH:])) / (unseen.sum() + 1e-6)
        return loss + F.softplus(-s[:BATCH]).mean() + no

    def sampled(self, items):
        """D's rows of the batch's items and of a sample: their numbers, the rows, and log of what is expected."""
        drawn, expected = self.log.sample()
        ids = torch.cat([items, drawn])
        return ids, self.classes.value.index_select(0, ids), expected

    def surprise(self, phi, items, sampled):
        if not sampled:
            return F.cross_entropy(run(self.d.towers[0], phi, F.relu), items)
        ids, rows, expected = sampled
        x = F.relu(run(self.d.towers[0], phi, F.relu), inplace=True)
        weights, bias = rows.split([D[1], 1], 1)
        own = (x * weights[:BATCH]).sum(1, keepdim=True) + bias[:BATCH]
        rest = torch.addmm(bias[BATCH:].squeeze(1) - expected, x, weights[BATCH:].t())
        rest = rest.masked_fill(items[:, None] == ids[None, BATCH:], -1e30)
        return (torch.logsumexp(torch.cat([own, rest], 1), 1) - own.squeeze(1)).mean()

    def discriminate(self, user, item):
        with torch.no_grad():
            u = self.tables[0].value.index_select(0, user)[:, :WIDTH]
            i = self.tables[1].value.index_select(0, item)[:, :WIDTH]
            phi = self.parts(u, i)[1]
        self.d.start()
        sampled = self.sampled(item) if self.classes else None
        if sampled:
            sampled[1].requires_grad_()
        self.surprise(phi, item, sampled).backward()
        self.d.move()
        if sampled:
            with torch.no_grad():
                self.classes.rows(sampled[0], sampled[1].detach(), sampled[1].grad)

    def step(self, log):
        self.log = log
        batch = log.batch(self.cbr)
        if self.cbr:
            self.discriminate(batch[0], batch[1])
            both = [self.gather(0, torch.cat([batch[0], batch[3]])), self.gather(1, torch.cat([batch[1], batch[4]]))]
            for leaf in self.d.leaves:
                leaf.requires_grad_(False)
            loss = self.cbr_losses(both, batch)
            for leaf in self.d.leaves:
                leaf.requires_grad_(True)
        else:
            both = [self.gather(0, batch[0]), self.gather(1, batch[1])]
            (u, user_bias), (i, item_bias) = (rows.split([WIDTH, 1], 1) for _, rows in both)
            x = u * i if self.case == "gmf" else torch.cat([u, i], 1)
            f = run(self.net.towers[0], x, F.elu) + user_bias + item_bias
            loss = F.binary_cross_entropy_with_logits(f.squeeze(1), batch[2])
        self.net.start()
        loss.backward()
        self.net.move()
        with torch.no_grad():
            for k, (rows, leaf) in enumerate(both):
                self.tables[k].rows(rows, leaf.detach(), leaf.grad)
        return loss


def main():
    torch.set_num_threads(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    torch.set_flush_denormal(True)
    logs, models = {}, {}
    for line in sys.stdin:
        case, style, steps = line.split()
        shape = SHAPES.get(case, Shape())
        if shape not in logs:
            logs[shape] = Log(shape)
        log = logs[shape]
        if (case, style) not in models:
            models[case, style] = Tuned(case, shape) if style == "tuned" else Plain(case, style == "sparse")
            for _ in range(3):
                models[case, style].step(log)
        cpu, wall = time.process_time(), time.perf_counter()
        for _ in range(int(steps)):
            loss = models[case, style].step(log)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        print(cpu / int(steps), wall / int(steps), loss.item(), flush=True)


if __name__ == "__main__":
    main()
