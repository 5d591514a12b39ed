"""The verifier of the peer (OpenID4VP 1.0): makes requests, serves them, reads and checks the answers."""

import base64
import datetime
import json
import secrets
import time
import urllib.parse

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID
from jwcrypto import jwe, jws
from jwcrypto.jwk import JWK

from oid4vp_formats import VERIFY, Refused, Session, b64, demand, public
from oid4vp_wallet import form, has, selected

BASE = "https://verifier.example/"


class Verifier:
    def __init__(self, trust):
        self.trust = trust
        self.sessions = {}
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.root, self.leaf = certificates(self.key)

    def start(self, query, encrypted, delivery):
        """A new session: its id and the link for the wallet."""
        name = secrets.token_urlsafe(16)
        address = BASE + "response/" + name
        signed = delivery != "value"
        client = "x509_hash:" + b64(self.leaf.fingerprint(hashes.SHA256())) if signed else "redirect_uri:" + address
        key = JWK.generate(kty="EC", crv="P-256", kid=secrets.token_urlsafe(8), use="enc", alg="ECDH-ES")
        metadata = {"vp_formats_supported": {"dc+sd-jwt": {}, "mso_mdoc": {}, "ldp_vc": {}}}
        if encrypted:
            metadata["jwks"] = {"keys": [key.export_public(as_dict=True)]}
            metadata["encrypted_response_enc_values_supported"] = ["A128GCM", "A256GCM"]
        request = {
            "client_id": client,
            "response_type": "vp_token",
            "response_mode": "direct_post.jwt" if encrypted else "direct_post",
            "response_uri": address,
            "nonce": secrets.token_urlsafe(16),
            "state": secrets.token_urlsafe(16),
            "dcql_query": query,
            "client_metadata": metadata,
        }
        self.sessions[name] = {"request": request, "key": key if encrypted else None, "fetched": 0, "result": None}
        if not signed:
            texts = {key: value if isinstance(value, str) else json.dumps(value) for key, value in request.items()}
            return name, "openid4vp://?" + urllib.parse.urlencode(texts)
        link = {"client_id": client, "request_uri": BASE + "request/" + name}
        if delivery == "post":
            link["request_uri_method"] = "post"
        return name, "openid4vp://?" + urllib.parse.urlencode(link)

    def handle(self, method, path, content_type, body):
        """The answer to a call: status, content type, body."""
        kind, _, name = path.strip("/").partition("/")
        session = self.sessions.get(name)
        if session is None or session["result"] is not None:
            return 404 if kind == "request" else 400, "application/json", '{"error":"invalid_request"}'
        if kind == "request":
            session["fetched"] += 1
            return 200, "application/oauth-authz-req+jwt", self.object(session, form(body) if method == "POST" else {})
        demand(content_type == "application/x-www-form-urlencoded", "the content type of the answer")
        try:
            answer = self.answer(session, form(body))
            if "error" in answer:
                session["result"] = {"error": answer["error"]}
            else:
                session["result"] = {"claims": self.claims(session, answer)}
            return 200, "application/json", json.dumps({"redirect_uri": "https://verifier.example/done"})
        except Refused as refused:
            session["result"] = {"refusal": str(refused)}
            return 400, "application/json", '{"error":"invalid_request"}'

    def object(self, session, post):
        """The signed request object (RFC 9101); a fresh one for each fetch."""
        now = int(time.time())
        content = session["request"] | {"aud": "https://self-issued.me/v2", "iat": now, "exp": now + 300}
        if "wallet_nonce" in post:
            content["wallet_nonce"] = session.get("wrong_nonce", post["wallet_nonce"])
        if "wallet_metadata" in post:
            formats = json.loads(post["wallet_metadata"])["vp_formats_supported"]
            asked = {query["format"] for query in content["dcql_query"]["credentials"]}
            demand(asked & set(formats), "the wallet has none of the formats")
        token = jws.JWS(json.dumps(content))
        chain = [certificate_text(self.leaf)]
        header = {"alg": "ES256", "typ": "oauth-authz-req+jwt", "x5c": chain}
        token.add_signature(JWK.from_pyca(self.key), protected=json.dumps(header))
        return token.serialize(compact=True)

    def answer(self, session, fields):
        """The parameters of an answer to the request (section 8)."""
        answer = dict(fields)
        if session["key"]:
            demand(set(fields) == {"response"}, "the answer is not encrypted")
            message = jwe.JWE()
            message.allowed_algs = ["ECDH-ES", "A128GCM", "A256GCM"]
            message.deserialize(fields["response"], session["key"])
            demand(message.jose_header.get("kid") == session["key"]["kid"], "the kid of the answer")
            answer = json.loads(message.payload)
        elif "vp_token" in answer:
            answer["vp_token"] = json.loads(answer["vp_token"])
        demand(answer.get("state") == session["request"]["state"], "state")
        demand(("vp_token" in answer) != ("error" in answer), "neither presentations nor an error")
        return answer

    def claims(self, session, answer):
        """The claims of each presentation of an answer, which is checked against the request (sections 8.1 and 8.6)."""
        request = session["request"]
        key = public(session["key"]) if session["key"] else None
        bound = Session(request["client_id"], request["nonce"], request["response_uri"], key)
        queries = {query["id"]: query for query in request["dcql_query"]["credentials"]}
        demand(answer["vp_token"] and set(answer["vp_token"]) <= set(queries), "the names in vp_token")
        for sets in request["dcql_query"].get("credential_sets", [{"options": [list(queries)]}]):
            demand(any(set(option) <= set(answer["vp_token"]) for option in sets["options"]), "vp_token is incomplete")
        verified = {}
        for name, presentations in answer["vp_token"].items():
            demand(isinstance(presentations, list) and len(presentations) == 1, "one presentation is wanted")
            query = queries[name]
            claims = VERIFY[query["format"]](presentations[0], bound, self.trust)
            for claim in query.get("claims", []):
                demand(has(Disclosed(claims), claim), f"the claim {claim['path']}")
            verified[name] = claims
        return verified


class Disclosed:
    def __init__(self, claims):
        self.claims = claims


def certificates(key):
    """A root, and the certificate of the key for verifier.example."""
    now = datetime.datetime.now(datetime.timezone.utc)
    authority = ec.generate_private_key(ec.SECP256R1())
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Peer root")])

    def build(subject, public, extensions):
        builder = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(public)
        builder = builder.serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(hours=1))
        builder = builder.not_valid_after(now + datetime.timedelta(days=1))
        authority_id = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.public_key())
        for extension, critical in extensions + [(authority_id, False)]:
            builder = builder.add_extension(extension, critical)
        return builder.sign(authority, hashes.SHA256())

    def usage(**used):
        names = ["digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement"]
        names += ["key_cert_sign", "crl_sign", "encipher_only", "decipher_only"]
        return x509.KeyUsage(**({name: False for name in names} | used)), True

    identifier = (x509.SubjectKeyIdentifier.from_public_key(authority.public_key()), False)
    root = build(
        issuer,
        authority.public_key(),
        [(x509.BasicConstraints(ca=True, path_length=0), True), usage(key_cert_sign=True, crl_sign=True), identifier],
    )
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "verifier.example")])
    names = x509.SubjectAlternativeName([x509.DNSName("verifier.example")])
    own = (x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
    leaf = build(subject, key.public_key(), [(names, False), usage(digital_signature=True), own])
    return root, leaf


def certificate_text(certificate):
    return base64.b64encode(certificate.public_bytes(Encoding.DER)).decode()
