"""Lets other people's mdoc libraries issue and verify, for the tests of this package.

usage: mdoc_peers.py < TASK.json > RESULT.json
The task names a peer ("isomdoc" or "pymdoccbor"), a verb ("issue" or "verify") and what that needs; bytes are hex.
"""
import datetime
import json
import logging
import sys

import cbor2
from cryptography import x509
from cryptography.hazmat.primitives import serialization


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


def pymdoccbor_issue(task):
    from pymdoccbor.mdoc.issuer import MdocCborIssuer

    key = serialization.load_der_private_key(bytes.fromhex(task["signerKey"]), None)
    number = key.private_numbers().private_value.to_bytes(32, "big")
    public = serialization.load_der_public_key(bytes.fromhex(task["deviceKey"])).public_numbers()
    now = datetime.datetime.now(datetime.timezone.utc)
    validity = {
        "issuance_date": now.strftime("%Y-%m-%d"),
        "expiry_date": (now + datetime.timedelta(days=30)).strftime("%Y-%m-%d"),
    }
    issuer = MdocCborIssuer(private_key={"KTY": "EC2", "CURVE": "P_256", "ALG": "ES256", "D": number}, alg="ES256")
    issuer.new(
        data=items(task),
        doctype=task["docType"],
        validity=validity,
        devicekeyinfo={"KTY": "EC2", "CURVE": "P_256", "X": public.x.to_bytes(32, "big"), "Y": public.y.to_bytes(32, "big")},
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


def pymdoccbor_verify(task):
    from pymdoccbor.mdoc.verifier import MdocCbor

    mdoc = MdocCbor()
    mdoc.loads(bytes.fromhex(task["response"]))
    if not mdoc.verify([x509.load_der_x509_certificate(bytes.fromhex(task["anchor"]))]):
        raise ValueError("refused")
    return {"elements": mdoc.disclosure_map}


def main():
    logging.disable(logging.CRITICAL)
    task = json.load(sys.stdin)
    try:
        result = globals()[task["peer"] + "_" + task["verb"]](task)
    except Exception as error:
        result = {"refusal": f"{type(error).__name__}: {error}"}
    json.dump(result, sys.stdout)


main()
