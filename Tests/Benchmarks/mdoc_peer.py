"""Measures isomdoc on one presentation, beside the figures of MdocKit.

usage: mdoc_peer.py RESPONSE TRANSCRIPT      both in hexadecimal
Prints the microseconds of one verification: the response read, the issuer's signature, the digests and the device's signature verified, the
certificate not; nothing without isomdoc. scripts/bench installs it.
"""
import statistics
import sys
import time

try:
    import cbor2
    from isomdoc.verify.verify_mdoc import verify_device_response
except ImportError:
    sys.exit(0)

response = bytes.fromhex(sys.argv[1])
transcript = list(cbor2.loads(bytes.fromhex(sys.argv[2])))
if len(verify_device_response(response, transcript).documents) != 1:
    sys.exit("isomdoc: the presentation is not the one document that it should be")
samples = []
for _ in range(20):
    start = time.process_time()
    for _ in range(20):
        verify_device_response(response, transcript)
    samples.append((time.process_time() - start) / 20)
print(f"{statistics.median(samples) * 1e6:.1f}")
