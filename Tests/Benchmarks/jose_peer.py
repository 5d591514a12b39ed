"""Measures a Python library of JOSE, for orientation beside the figures of JOSEKit.

Prints a number of microseconds and a name a line for each of joserfc and jwcrypto that is installed; nothing without either.
scripts/bench installs them.
"""
import statistics
import time

CLAIMS = {"iss": "https://issuer.example", "sub": "alice", "iat": 1800000000}
CLAIMS.update({f"claim-{index}": "a value of some length" for index in range(20)})
CONTENT = b"B" * 1000


def measure(name, operation):
    operation()
    samples = []
    for _ in range(20):
        start = time.process_time()
        for _ in range(20):
            operation()
        samples.append((time.process_time() - start) / 20)
    print(f"{statistics.median(samples) * 1e6:.1f} {name}", flush=True)


def joserfc():
    from joserfc import jwe, jwt
    from joserfc.jwk import ECKey

    key = ECKey.generate_key("P-256")
    token = jwt.encode({"alg": "ES256"}, CLAIMS, key)
    measure("joserfc (Python): verify an ES256 token", lambda: jwt.decode(token, key, algorithms=["ES256"]))
    header = {"alg": "ECDH-ES", "enc": "A256GCM"}
    measure("joserfc (Python): encrypt with ECDH-ES and A256GCM", lambda: jwe.encrypt_compact(header, CONTENT, key))


def jwcrypto():
    import json

    from jwcrypto import jwe, jwk, jws

    key = jwk.JWK.generate(kty="EC", crv="P-256")
    made = jws.JWS(json.dumps(CLAIMS))
    made.add_signature(key, None, json.dumps({"alg": "ES256"}))
    token = made.serialize(compact=True)

    def verify():
        received = jws.JWS()
        received.deserialize(token, key)

    def encrypt():
        jwe.JWE(CONTENT, json.dumps({"alg": "ECDH-ES", "enc": "A256GCM"}), recipient=key).serialize(compact=True)

    measure("jwcrypto (Python): verify an ES256 token", verify)
    measure("jwcrypto (Python): encrypt with ECDH-ES and A256GCM", encrypt)


for peer in [joserfc, jwcrypto]:
    try:
        peer()
    except ImportError:
        pass
