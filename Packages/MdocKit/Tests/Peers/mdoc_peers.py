"""Lets other people's mdoc libraries issue and verify, for the tests of this package.

usage: mdoc_peers.py < TASKS.json > RESULTS.json
A task names a peer ("isomdoc" or "pymdoccbor"), a verb ("issue", "verify" or "mentions") and what that needs; bytes are hex. The results are
in the order of the tasks; a refusal is the name and the text of the peer's error.
"""
import base64
import datetime
import importlib
import json
import logging
import pathlib
import sys

import cbor2
from cryptography import x509
from cryptography.hazmat.primitives import serialization

Encoding = serialization.Encoding
PublicFormat = serialization.PublicFormat


class Refused(Exception):
    """A refusal in the peer's words."""


def items(task):
    return {space: dict(elements) for space, elements in task["elements"].items()}


def isomdoc_issue(task):
    from isomdoc.create.create_mdoc import create_mdoc

    key = serialization.load_der_private_key(bytes.fromhex(task["signerKey"]), None)
    signer = x509.load_der_x509_certificate(bytes.fromhex(task["signer"]))
    mdoc = create_mdoc(task["docType"], [signer], key)
    for space, elements in items(task).items():
        for identifier, value in elements.items():
            mdoc.add_data_item(space, identifier, value)
    now = datetime.datetime.now(datetime.timezone.utc)
    device_key = serialization.load_der_public_key(bytes.fromhex(task["deviceKey"]))
    encoded = mdoc.generate_credential(device_key, now, now, now + datetime.timedelta(days=30))
    return {"issuerSigned": encoded.hex()}


# The curves of pycose, which pymdoccbor signs and describes keys with, by their names in cryptography.
PYCOSE = {
    "secp256r1": ("P_256", "ES256"),
    "secp384r1": ("P_384", "ES384"),
    "secp521r1": ("P_521", "ES512"),
    "ed25519": ("ED25519", "EdDSA"),
    "ed448": ("ED448", "EdDSA"),
    "x25519": ("X25519", None),
    "x448": ("X448", None),
}


def curve(key):
    """The name of a public key's curve."""
    return key.curve.name if hasattr(key, "curve") else type(key).__name__.lower().split("public")[0].removeprefix("_")


def coordinates(key):
    """A public key as pycose writes it in a dictionary."""
    if not hasattr(key, "curve"):
        return {"KTY": "OKP", "X": key.public_bytes(Encoding.Raw, PublicFormat.Raw)}
    size = (key.key_size + 7) // 8
    numbers = key.public_numbers()
    return {"KTY": "EC2", "X": numbers.x.to_bytes(size, "big"), "Y": numbers.y.to_bytes(size, "big")}


def pymdoccbor_issue(task):
    from pymdoccbor.mdoc.issuer import MdocCborIssuer

    key = serialization.load_der_private_key(bytes.fromhex(task["signerKey"]), None)
    name, algorithm = PYCOSE.get(curve(key.public_key()), (curve(key.public_key()), "ES256"))
    signer = {"CURVE": name, "ALG": algorithm, **coordinates(key.public_key())}
    if signer["KTY"] == "OKP":
        signer["D"] = key.private_bytes(Encoding.Raw, serialization.PrivateFormat.Raw, serialization.NoEncryption())
    else:
        signer["D"] = key.private_numbers().private_value.to_bytes(len(signer["X"]), "big")
    device_key = serialization.load_der_public_key(bytes.fromhex(task["deviceKey"]))
    if curve(device_key) in PYCOSE:
        device_key_info = {"CURVE": PYCOSE[curve(device_key)][0], **coordinates(device_key)}
    else:
        # The other way in: base64url of PEM.
        pem = device_key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        device_key_info = base64.urlsafe_b64encode(pem).decode()
    now = datetime.datetime.now(datetime.timezone.utc)
    validity = {
        "issuance_date": now.strftime("%Y-%m-%d"),
        "expiry_date": (now + datetime.timedelta(days=30)).strftime("%Y-%m-%d"),
    }
    issuer = MdocCborIssuer(private_key=signer, alg=algorithm)
    issuer.new(
        data=items(task),
        doctype=task["docType"],
        validity=validity,
        devicekeyinfo=device_key_info,
        x509_chain=[bytes.fromhex(task["signer"])],
    )
    document = cbor2.loads(issuer.dump())["documents"][0]
    return {"issuerSigned": cbor2.dumps(document["issuerSigned"]).hex()}


def isomdoc_verify(task):
    from isomdoc.verify.verify_mdoc import verify_device_response

    transcript = cbor2.loads(bytes.fromhex(task["transcript"]))
    documents = verify_device_response(bytes.fromhex(task["response"]), list(transcript)).documents
    return {
        "elements": {
            space: {item.element_identifier: item.element_value for item in found}
            for space, found in documents[0].issuer_signed.namespaces.items()
        }
    }


class Messages(logging.Handler):
    """The errors that a library logs: pymdoccbor tells a reason nowhere else."""

    def __init__(self):
        super().__init__(logging.ERROR)
        self.texts = []

    def emit(self, record):
        self.texts.append(record.getMessage())


def pymdoccbor_verify(task):
    from pymdoccbor.mdoc.verifier import MdocCbor

    messages = Messages()
    logger = logging.getLogger("pymdoccbor")
    logger.addHandler(messages)
    try:
        mdoc = MdocCbor()
        mdoc.loads(bytes.fromhex(task["response"]))
        if not mdoc.verify([x509.load_der_x509_certificate(bytes.fromhex(task["anchor"]))]):
            raise Refused(" ".join(messages.texts) or "no reason")
    finally:
        logger.removeHandler(messages)
    return {"elements": mdoc.disclosure_map}


def mentions(task):
    """The words of the standard that the sources of a peer name: it has nothing of a part whose words they lack."""
    folder = pathlib.Path(importlib.import_module(task["peer"]).__file__).parent
    sources = "".join(file.read_text() for file in folder.rglob("*.py") if "tests" not in file.parts)
    return {"mentioned": [word for word in task["words"] if word in sources]}


isomdoc_mentions = pymdoccbor_mentions = mentions


def result(task):
    try:
        return globals()[task["peer"] + "_" + task["verb"]](task)
    except Exception as error:
        return {"refusal": f"{type(error).__name__}: {error}"}


logging.getLogger("pymdoccbor").propagate = False
logging.getLogger("pymdoccbor").addHandler(logging.NullHandler())
json.dump([result(task) for task in json.load(sys.stdin)], sys.stdout)
