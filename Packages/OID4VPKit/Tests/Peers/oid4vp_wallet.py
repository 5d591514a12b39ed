"""The wallet of the peer (OpenID4VP 1.0): reads and authenticates requests, matches DCQL queries, answers."""

import asyncio
import json
import secrets
import time
import urllib.parse

import didkit
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from jwcrypto import jwe, jws
from jwcrypto.jwk import JWK

from oid4vp_formats import Refused, Session, b64, demand, unb64

ALGORITHMS = ["ES256", "ES384", "EdDSA"]


class Wallet:
    def __init__(self, credentials, anchors, http):
        self.credentials = credentials
        self.anchors = [x509.load_der_x509_certificate(anchor) for anchor in anchors]
        self.http = http

    def request(self, link):
        """The parameters of an authenticated request (sections 5 and 5.10)."""
        outer = form(urllib.parse.urlsplit(link).query)
        demand("client_id" in outer, "client_id is missing")
        if "request_uri" not in outer and "request" not in outer:
            demand(outer["client_id"].startswith("redirect_uri:"), "an unsigned request of a client that signs")
            for name in ("dcql_query", "client_metadata"):
                if name in outer:
                    outer[name] = json.loads(outer[name])
            return self.checked(outer)
        nonce = None
        text = outer.get("request")
        if text is None:
            text, nonce = self.fetch(outer)
        inner = self.verified(text.strip(), outer["client_id"])
        demand(inner.get("client_id") == outer["client_id"], "client_id differs inside")
        demand(nonce is None or inner.get("wallet_nonce") == nonce, "wallet_nonce differs")
        demand(inner.get("aud") == "https://self-issued.me/v2", "aud")
        demand(inner.get("exp", 1 << 40) > time.time(), "the request has expired")
        return self.checked(inner)

    def fetch(self, outer):
        method = outer.get("request_uri_method", "get")
        demand(method in ("get", "post"), "invalid_request_uri_method")
        headers = {"Accept": "application/oauth-authz-req+jwt"}
        nonce, body = None, ""
        if method == "post":
            nonce = b64(secrets.token_bytes(16))
            formats = {credential.format: {} for credential in self.credentials}
            metadata = {"vp_formats_supported": formats, "client_id_prefixes_supported": ["x509_hash", "x509_san_dns"]}
            metadata["client_id_prefixes_supported"].append("decentralized_identifier")
            body = urllib.parse.urlencode({"wallet_nonce": nonce, "wallet_metadata": json.dumps(metadata)})
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        answer = self.http(method.upper(), outer["request_uri"], headers, body)
        demand(answer["status"] == 200, f"the request object: status {answer['status']}")
        demand(answer["type"].split(";")[0] == "application/oauth-authz-req+jwt", "the request object: content type")
        return answer["body"], nonce

    def verified(self, text, client_id):
        token = jws.JWS()
        token.allowed_algs = ALGORITHMS
        token.deserialize(text)
        header = token.jose_header
        demand(header.get("typ") == "oauth-authz-req+jwt", "typ")
        prefix, _, name = client_id.partition(":")
        if prefix in ("x509_hash", "x509_san_dns"):
            key = self.certified(header["x5c"], prefix, name)
        elif prefix == "decentralized_identifier":
            demand(header["kid"].split("#")[0] == name and name.startswith("did:key:"), "kid")
            key = did_key(name)
        else:
            raise Refused("the prefix is not supported: " + prefix)
        try:
            token.verify(key)
        except jws.InvalidJWSSignature as error:
            raise Refused(f"the signature of the request: {error}")
        return json.loads(token.payload)

    def certified(self, texts, prefix, name):
        chain = [x509.load_der_x509_certificate(unb64(text.replace("+", "-").replace("/", "_").rstrip("="))) for text in texts]
        anchors = [anchor for anchor in self.anchors if anchor.subject == chain[-1].issuer]
        demand(anchors, "the request's certificates lead to no anchor")
        now = time.time()
        for certificate, issuer in zip(chain, chain[1:] + anchors[:1]):
            certificate.verify_directly_issued_by(issuer)
            start, end = certificate.not_valid_before_utc, certificate.not_valid_after_utc
            demand(start.timestamp() <= now <= end.timestamp(), "a certificate is not valid now")
        if prefix == "x509_hash":
            demand(b64(chain[0].fingerprint(hashes.SHA256())) == name, "x509_hash")
        else:
            names = chain[0].extensions.get_extension_for_class(x509.SubjectAlternativeName).value
            demand(name in names.get_values_for_type(x509.DNSName), "x509_san_dns")
        return JWK.from_pyca(chain[0].public_key())

    def checked(self, request):
        prefix, _, name = request["client_id"].partition(":")
        demand(request.get("response_type") == "vp_token", "response_type")
        demand(request.get("response_mode") in ("direct_post", "direct_post.jwt"), "response_mode")
        demand("redirect_uri" not in request and request.get("nonce"), "redirect_uri or nonce")
        demand("transaction_data" not in request, "transaction_data is not supported")
        if prefix == "redirect_uri":
            demand(request.setdefault("response_uri", name) == name, "response_uri")
        if prefix == "x509_san_dns":
            demand(urllib.parse.urlsplit(request["response_uri"]).hostname == name, "response_uri: the host")
        return request

    def form(self, request, nonce=None):
        """The form of the answer; a nonce takes the place of the request's."""
        key, encryption = None, None
        if request["response_mode"] == "direct_post.jwt":
            key, encryption = encryption_key(request["client_metadata"])
        session = Session(request["client_id"], nonce or request["nonce"], request["response_uri"], key)
        token = {}
        for query, credential, paths in chosen(request["dcql_query"], self.credentials):
            token[query] = [credential.present(paths, session)]
        answer = {"vp_token": token}
        if "state" in request:
            answer["state"] = request["state"]
        if key is None:
            answer["vp_token"] = json.dumps(token)
            return urllib.parse.urlencode(answer)
        header = {"alg": "ECDH-ES", "enc": encryption, "kid": key["kid"]}
        message = jwe.JWE(json.dumps(answer).encode(), protected=json.dumps(header), recipient=key)
        return urllib.parse.urlencode({"response": message.serialize(compact=True)})

    def post(self, request, body):
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.http("POST", request["response_uri"], headers, body)


def form(query):
    pairs = urllib.parse.parse_qsl(query, keep_blank_values=True, strict_parsing=True)
    demand(len(dict(pairs)) == len(pairs), "a parameter twice")
    return dict(pairs)


def did_key(did):
    """The key of a did:key, as its document has it."""
    async def resolve():
        return await didkit.resolve_did(did, "{}")

    method = json.loads(asyncio.run(resolve()))["verificationMethod"][0]
    if "publicKeyJwk" in method:
        return JWK(**method["publicKeyJwk"])
    raise Refused("the key of the DID is not a JWK")


def encryption_key(metadata):
    """The first key for encryption and the first content encryption that the wallet supports (section 8.3)."""
    keys = [JWK(**key) for key in metadata["jwks"]["keys"] if key.get("alg") == "ECDH-ES" and key.get("use", "enc") == "enc"]
    offered = metadata.get("encrypted_response_enc_values_supported", ["A128GCM"])
    known = [name for name in offered if name in ("A128GCM", "A256GCM")]
    demand(keys and known, "the verifier offers no encryption")
    return keys[0], known[0]


# DCQL (section 6)


def selected(claims, path):
    """The elements that a claims path pointer selects (section 7)."""
    found = [claims]
    for part in path:
        if part is None:
            demand(all(isinstance(value, list) for value in found), "no array")
            found = [element for value in found for element in value]
        elif isinstance(part, str):
            demand(all(isinstance(value, dict) for value in found), "no object")
            found = [value[part] for value in found if part in value]
        else:
            demand(all(isinstance(value, list) for value in found), "no array")
            found = [value[part] for value in found if part < len(value)]
    return found


def has(credential, claim):
    try:
        found = selected(credential.claims, claim["path"])
    except Refused:
        return False
    values = claim.get("values")
    return bool(found) and (values is None or any(type(a) is type(b) and a == b for a in found for b in values))


def paths(query, credential):
    """The paths of the claims for a query; nil where the credential does not have them."""
    if query["format"] != credential.format or not credential.fits(query["meta"]):
        return None
    claims = query.get("claims", [])
    by_id = {claim.get("id"): claim for claim in claims}
    options = [[by_id[name] for name in names] for names in query.get("claim_sets", [])] or [claims]
    for option in options:
        if all(has(credential, claim) for claim in option):
            return [claim["path"] for claim in option]
    return None


def chosen(query, credentials):
    """The answers to a query: (id, credential, paths) of each credential query that is answered."""
    matches = {}
    for asked in query["credentials"]:
        for credential in credentials:
            wanted = paths(asked, credential)
            if wanted is not None and asked["id"] not in matches:
                matches[asked["id"]] = (asked["id"], credential, wanted)
    names = [asked["id"] for asked in query["credentials"]]
    if "credential_sets" in query:
        names = []
        for group in query["credential_sets"]:
            option = next((option for option in group["options"] if all(name in matches for name in option)), None)
            demand(option or not group.get("required", True), "access_denied")
            names += option or []
    demand(all(name in matches for name in names), "access_denied")
    return [matches[name] for name in dict.fromkeys(names)]
