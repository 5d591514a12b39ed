"""A wallet and a verifier of OpenID4VP 1.0 for the tests of this package, on libraries of others.

One JSON object a line: a task comes in, its answer goes out. Where a task needs HTTP, the peer first writes {"http": …} and
reads the answer to that call. Bytes are hex.
"""

import json
import os
import sys

from cryptography.hazmat.primitives.serialization import Encoding
from jwcrypto.jwk import JWK

import oid4vp_formats as formats
from oid4vp_verifier import Verifier
from oid4vp_wallet import Wallet


def write(answer):
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def call(method, url, headers, body):
    write({"http": {"method": method, "url": url, "headers": headers, "body": body}})
    return json.loads(sys.stdin.readline())


class Peer:
    wallet = None
    verifier = None

    # The wallet

    def make_wallet(self, task):
        """Issues the credentials of a wallet, and names their issuers."""
        issuer, holder = (JWK.generate(kty="EC", crv="P-256") for _ in range(2))
        linked_issuer, linked_holder = (JWK.generate(kty="OKP", crv="Ed25519") for _ in range(2))
        credentials = [
            formats.issue_sd_jwt(issuer, holder),
            formats.issue_mdoc(bytes.fromhex(task["signer_key"]), bytes.fromhex(task["signer"]), holder),
            formats.issue_linked_data(linked_issuer, linked_holder),
        ]
        self.wallet = Wallet(credentials, [bytes.fromhex(anchor) for anchor in task["anchors"]], call)
        did = formats.linked_data_key(linked_issuer)[1]
        return {"issuer": issuer.export_public(as_dict=True), "issuer_did": did}

    def answer(self, task):
        """Answers a link: fetches the request as often as it is told, and posts each form that is asked for."""
        for _ in range(task.get("fetches", 1)):
            request = self.wallet.request(task["link"])
        body = self.wallet.form(request, task.get("nonce"))
        return {"answers": [self.wallet.post(request, body) for _ in range(task.get("posts", 1))]}

    # The verifier

    def make_verifier(self, task):
        """Makes a verifier that trusts issuers, and names its root."""
        trust = {
            "issuer": JWK(**task["issuer"]),
            "issuer_did": task["issuer_did"],
            "iaca": bytes.fromhex(task["iaca"]),
        }
        self.verifier = Verifier(trust)
        return {"root": self.verifier.root.public_bytes(Encoding.DER).hex()}

    def start(self, task):
        name, link = self.verifier.start(task["query"], task["encrypted"], task["delivery"])
        if "wallet_nonce" in task:
            self.verifier.sessions[name]["wrong_nonce"] = task["wallet_nonce"]
        return {"session": name, "link": link}

    def serve(self, task):
        status, kind, body = self.verifier.handle(task["method"], task["path"], task["type"], task["body"])
        return {"status": status, "type": kind, "body": body}

    def result(self, task):
        session = self.verifier.sessions[task["session"]]
        return {"fetched": session["fetched"]} | (session["result"] or {})


def main():
    peer = Peer()
    for line in sys.stdin:
        task = json.loads(line)
        try:
            answer = getattr(peer, task["do"])(task)
        except Exception as error:
            answer = {"refusal": f"{type(error).__name__}: {error}"}
        write(answer)
    # didkit's runtime does not survive the interpreter's own end.
    os._exit(0)


main()
