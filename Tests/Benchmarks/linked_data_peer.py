"""Measures PyLD on one document, beside the figures of LinkedDataKit.

usage: linked_data_peer.py DOCUMENT CONTEXT_INDEX      the index is a JSON list of {"url": …, "file": …}, files beside it
Prints the microseconds of one expansion and canonicalization, contexts cached; nothing without PyLD.
scripts/bench installs it.
"""
import json
import pathlib
import statistics
import sys
import time

try:
    from pyld import jsonld
except ImportError:
    sys.exit(0)

document = json.loads(pathlib.Path(sys.argv[1]).read_text())
index = pathlib.Path(sys.argv[2])
contexts = {entry["url"]: index.parent / entry["file"] for entry in json.loads(index.read_text())}
loaded = {}


def load(url, _options):
    if url not in loaded:
        content = json.loads(contexts[url].read_text())
        loaded[url] = {"contentType": "application/ld+json", "contextUrl": None, "documentUrl": url, "document": content}
    return loaded[url]


jsonld.set_document_loader(load)
options = {"algorithm": "URDNA2015", "format": "application/n-quads"}
jsonld.normalize(document, options)
samples = []
for _ in range(20):
    start = time.process_time()
    for _ in range(5):
        jsonld.normalize(document, options)
    samples.append((time.process_time() - start) / 5)
print(f"{statistics.median(samples) * 1e6:.1f}")
