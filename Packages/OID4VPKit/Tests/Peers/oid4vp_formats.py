"""The credential formats of the peer: holders make presentations (`present`), verifiers check them (`verify`).

SD-JWT VC by sd-jwt, mdoc by pymdoccbor and pycose, W3C credentials by didkit.
"""

import asyncio
import base64
import datetime
import hashlib
import json

import cbor2
import didkit
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from jwcrypto.jwk import JWK
from pycose.headers import Algorithm
from pycose.keys import CoseKey, EC2Key
from pycose.messages import Sign1Message
from pymdoccbor.mdoc.issuer import MdocCborIssuer
from pymdoccbor.mdoc.verifier import MdocCbor
from sd_jwt.common import SDObj
from sd_jwt.holder import SDJWTHolder
from sd_jwt.issuer import SDJWTIssuer
from sd_jwt.verifier import SDJWTVerifier


class Refused(Exception):
    """A message that the peer does not accept; the text names the reason."""


def demand(condition, reason):
    if not condition:
        raise Refused(reason)


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text):
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def public(key):
    return JWK.from_json(key.export_public())


class Session:
    """The values of a request that a presentation is bound to."""

    def __init__(self, client_id, nonce, response_uri, key=None):
        self.client_id = client_id
        self.nonce = nonce
        self.response_uri = response_uri
        self.key = key

    def transcript(self):
        """The SessionTranscript (OpenID4VP 1.0, B.2.6.1); the thumbprint is that of the key for the encrypted response."""
        thumbprint = unb64(self.key.thumbprint()) if self.key else None
        info = cbor2.dumps([self.client_id, self.nonce, thumbprint, self.response_uri])
        return [None, None, ["OpenID4VPHandover", hashlib.sha256(info).digest()]]


# SD-JWT VC


class SDJWTCredential:
    format = "dc+sd-jwt"

    def __init__(self, compact, issuer_key, holder_key):
        self.compact, self.holder_key = compact, holder_key
        self.claims = SDJWTVerifier(compact, lambda issuer, header: issuer_key).get_verified_payload()

    def fits(self, meta):
        return "vct_values" not in meta or self.claims["vct"] in meta["vct_values"]

    def present(self, paths, session):
        holder = SDJWTHolder(self.compact)
        disclosed = disclosure(self.claims, paths)
        holder.create_presentation(disclosed or {}, session.nonce, session.client_id, self.holder_key)
        return holder.sd_jwt_presentation


def disclosure(value, paths):
    """The tree of disclosed parts, as sd-jwt takes it."""
    whole = any(not path for path in paths)
    if isinstance(value, dict):
        inner = {key: [path[1:] for path in paths if path and path[0] == key] for key in value}
        tree = {key: disclosure(part, [[]] if whole else inner[key]) for key, part in value.items() if whole or inner[key]}
        return tree or True
    if isinstance(value, list):
        inner = [[path[1:] for path in paths if path and path[0] in (None, index)] for index in range(len(value))]
        return [disclosure(part, [[]] if whole else inner[i]) if whole or inner[i] else None for i, part in enumerate(value)]
    return True


def issue_sd_jwt(issuer_key, holder_key):
    claims = {
        "iss": "https://issuer.example",
        "vct": "urn:pid",
        "exp": int(datetime.datetime.now().timestamp()) + 86_400,
        SDObj("given_name"): "Ada",
        SDObj("family_name"): "Lovelace",
        SDObj("address"): {SDObj("locality"): "London", SDObj("street"): "St James's Square"},
        "nationalities": [SDObj("GB"), SDObj("DE")],
    }
    issued = SDJWTIssuer(
        claims, issuer_key, public(holder_key), add_decoy_claims=True, extra_header_parameters={"typ": "dc+sd-jwt"}
    )
    return SDJWTCredential(issued.sd_jwt_issuance, public(issuer_key), holder_key)


def verify_sd_jwt(presentation, session, trust):
    demand(isinstance(presentation, str), "an SD-JWT is a text")
    try:
        verifier = SDJWTVerifier(presentation, lambda issuer, header: trust["issuer"], session.client_id, session.nonce)
        claims = verifier.get_verified_payload()
        binding = json.loads(unb64(presentation.rsplit("~", 1)[1].split(".")[1]))
    except Exception as error:
        raise Refused(f"SD-JWT: {error}")
    now = datetime.datetime.now().timestamp()
    demand(claims.get("exp", 1 << 40) > now, "SD-JWT: expired")
    demand(abs(binding["iat"] - now) < 300, "SD-JWT: iat of the KB-JWT")
    return claims


# mdoc


class MdocCredential:
    format = "mso_mdoc"

    def __init__(self, doctype, issuer_signed, device_key):
        self.doctype, self.issuer_signed, self.device_key = doctype, issuer_signed, device_key
        self.claims = elements(issuer_signed["nameSpaces"])

    def fits(self, meta):
        return meta.get("doctype_value", self.doctype) == self.doctype

    def present(self, paths, session):
        spaces = {}
        for space, items in self.issuer_signed["nameSpaces"].items():
            kept = [item for item in items if [space, cbor2.loads(item.value)["elementIdentifier"]] in paths]
            if kept:
                spaces[space] = kept
        device_spaces = cbor2.CBORTag(24, cbor2.dumps({}))
        signed = authentication(session, self.doctype, device_spaces)
        numbers = json.loads(self.device_key.export())
        key = EC2Key(crv="P_256", **{part: unb64(numbers[part]) for part in "xyd"})
        message = Sign1Message(phdr={Algorithm: "ES256"}, key=key)
        document = {
            "docType": self.doctype,
            "issuerSigned": {"nameSpaces": spaces, "issuerAuth": self.issuer_signed["issuerAuth"]},
            "deviceSigned": {
                "nameSpaces": device_spaces,
                "deviceAuth": {"deviceSignature": cbor2.loads(message.encode(tag=False, detached_payload=signed))},
            },
        }
        return b64(cbor2.dumps({"version": "1.0", "documents": [document], "status": 0}))


def elements(spaces):
    decoded = {space: [cbor2.loads(item.value) for item in items] for space, items in spaces.items()}
    return {space: {item["elementIdentifier"]: item["elementValue"] for item in items} for space, items in decoded.items()}


def authentication(session, doctype, device_spaces):
    """DeviceAuthenticationBytes (ISO/IEC 18013-5, 9.1.3.4)."""
    content = ["DeviceAuthentication", session.transcript(), doctype, device_spaces]
    return cbor2.dumps(cbor2.CBORTag(24, cbor2.dumps(content)))


def time_of(value):
    """A tdate, which cbor2 turns into a datetime where it can."""
    return value if isinstance(value, datetime.datetime) else datetime.datetime.fromisoformat(value)


def issue_mdoc(signer_key, signer, device_key):
    numbers = json.loads(device_key.export())
    private = serialization.load_der_private_key(signer_key, None).private_numbers().private_value
    today = datetime.datetime.now(datetime.timezone.utc)
    issuer = MdocCborIssuer(
        private_key={"KTY": "EC2", "CURVE": "P_256", "ALG": "ES256", "D": private.to_bytes(32, "big")}, alg="ES256"
    )
    issuer.new(
        data={"org.iso.18013.5.1": {"given_name": "Ada", "family_name": "Lovelace"}},
        doctype="org.iso.18013.5.1.mDL",
        validity={"issuance_date": f"{today:%Y-%m-%d}", "expiry_date": f"{today + datetime.timedelta(days=30):%Y-%m-%d}"},
        devicekeyinfo={"KTY": "EC2", "CURVE": "P_256", "X": unb64(numbers["x"]), "Y": unb64(numbers["y"])},
        x509_chain=[signer],
    )
    issued = cbor2.loads(issuer.dump())["documents"][0]["issuerSigned"]
    return MdocCredential("org.iso.18013.5.1.mDL", issued, device_key)


def verify_mdoc(presentation, session, trust):
    demand(isinstance(presentation, str), "a DeviceResponse is a text")
    try:
        encoded = unb64(presentation)
        response = cbor2.loads(encoded)
        demand(response["status"] == 0 and len(response["documents"]) == 1, "mdoc: one document is wanted")
        reader = MdocCbor()
        reader.loads(encoded)
        demand(reader.verify([x509.load_der_x509_certificate(trust["iaca"])]), "mdoc: the issuer's signature")
        document = response["documents"][0]
        device = document["deviceSigned"]
        security = cbor2.loads(cbor2.loads(document["issuerSigned"]["issuerAuth"][2]).value)
        demand(security["docType"] == document["docType"], "mdoc: the document type")
        validity, now = security["validityInfo"], datetime.datetime.now(datetime.timezone.utc)
        demand(time_of(validity["validFrom"]) <= now <= time_of(validity["validUntil"]), "mdoc: the validity")
        signature = list(device["deviceAuth"]["deviceSignature"])
        demand(signature[2] is None, "mdoc: the payload is not detached")
        message = Sign1Message.from_cose_obj(signature, True)
        message.key = CoseKey.from_dict(security["deviceKeyInfo"]["deviceKey"])
        signed = authentication(session, document["docType"], device["nameSpaces"])
        demand(message.verify_signature(detached_payload=signed), "mdoc: the device signature")
    except Refused:
        raise
    except Exception as error:
        raise Refused(f"mdoc: {error}")
    return elements(document["issuerSigned"]["nameSpaces"])


# W3C credentials with linked-data proofs

SUITE = "https://w3id.org/security/suites/ed25519-2020/v1"
MEMBER = {"Member": "https://club.example/Member", "level": "https://club.example/level"}


class LinkedDataCredential:
    format = "ldp_vc"

    def __init__(self, document, holder_key):
        self.claims, self.holder_key = document, holder_key

    def fits(self, meta):
        terms = {"VerifiableCredential": "https://www.w3.org/2018/credentials#VerifiableCredential"}
        for context in self.claims["@context"]:
            terms.update(context if isinstance(context, dict) else {})
        types = {terms.get(name, name) for name in self.claims["type"]}
        return "type_values" not in meta or any(set(wanted) <= types for wanted in meta["type_values"])

    def present(self, paths, session):
        key, did, method = linked_data_key(self.holder_key)
        presentation = {
            "@context": ["https://www.w3.org/2018/credentials/v1", SUITE],
            "type": ["VerifiablePresentation"],
            "holder": did,
            "verifiableCredential": [self.claims],
        }
        options = {
            "type": "Ed25519Signature2020",
            "proofPurpose": "authentication",
            "verificationMethod": method,
            "challenge": session.nonce,
            "domain": session.client_id,
        }
        return json.loads(asyncio.run(issue_presentation(presentation, options, key)))


async def issue_presentation(presentation, options, key):
    return await didkit.issue_presentation(json.dumps(presentation), json.dumps(options), key)


async def issue_credential(credential, options, key):
    return await didkit.issue_credential(json.dumps(credential), json.dumps(options), key)


def linked_data_key(key):
    text = key.export()
    did = didkit.key_to_did("key", text)
    return text, did, did + "#" + did.removeprefix("did:key:")


def issue_linked_data(issuer_key, holder_key):
    key, did, method = linked_data_key(issuer_key)
    now = datetime.datetime.now(datetime.timezone.utc)
    credential = {
        "@context": ["https://www.w3.org/2018/credentials/v1", SUITE, MEMBER],
        "type": ["VerifiableCredential", "Member"],
        "issuer": did,
        "issuanceDate": f"{now - datetime.timedelta(days=1):%Y-%m-%dT%H:%M:%SZ}",
        "expirationDate": f"{now + datetime.timedelta(days=1):%Y-%m-%dT%H:%M:%SZ}",
        "credentialSubject": {"id": linked_data_key(holder_key)[1], "level": "gold"},
    }
    options = {"type": "Ed25519Signature2020", "proofPurpose": "assertionMethod", "verificationMethod": method}
    return LinkedDataCredential(json.loads(asyncio.run(issue_credential(credential, options, key))), holder_key)


def verify_linked_data(presentation, session, trust):
    demand(isinstance(presentation, dict), "a linked-data presentation is an object")
    options = {"proofPurpose": "authentication", "challenge": session.nonce, "domain": session.client_id}
    credentials = presentation.get("verifiableCredential")
    credential = credentials[0] if isinstance(credentials, list) else credentials
    reports = asyncio.run(verify_both(presentation, options, credential))
    for report in map(json.loads, reports):
        demand(not report["errors"], f"ldp_vc: {report['errors']}")
    issuer = credential["issuer"]
    demand((issuer if isinstance(issuer, str) else issuer["id"]) == trust["issuer_did"], "ldp_vc: the issuer")
    subject = credential["credentialSubject"]
    subject = subject[0] if isinstance(subject, list) else subject
    proof = presentation["proof"]
    proof = proof[0] if isinstance(proof, list) else proof
    demand(proof["challenge"] == session.nonce and proof["domain"] == session.client_id, "ldp_vc: the challenge")
    demand(proof["verificationMethod"].split("#")[0] == subject["id"], "ldp_vc: the holder is not the subject")
    return credential


async def verify_both(presentation, options, credential):
    return (
        await didkit.verify_presentation(json.dumps(presentation), json.dumps(options)),
        await didkit.verify_credential(json.dumps(credential), json.dumps({"proofPurpose": "assertionMethod"})),
    )


VERIFY = {"dc+sd-jwt": verify_sd_jwt, "mso_mdoc": verify_mdoc, "ldp_vc": verify_linked_data}
