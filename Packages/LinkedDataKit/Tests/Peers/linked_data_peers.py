"""Runs tasks of LinkedDataKit's tests with didkit and PyLD: a JSON list of tasks comes in, a list of answers goes out.

An answer is {"text": …} or {"error": …}.
"""

import asyncio
import json
import os
import sys


def canonize(task):
    from pyld import jsonld

    def refuse(url, _options):
        raise ValueError("nothing is loaded: " + url)

    jsonld.set_document_loader(refuse)
    options = {"algorithm": "URDNA2015", "format": "application/n-quads"}
    return jsonld.normalize(task["document"], options)


async def run(task):
    if task["operation"] == "canonize":
        return canonize(task)
    import didkit

    document = json.dumps(task["document"])
    options = json.dumps(task["options"])
    if task["operation"] == "issueCredential":
        return await didkit.issue_credential(document, options, json.dumps(task["key"]))
    if task["operation"] == "issuePresentation":
        return await didkit.issue_presentation(document, options, json.dumps(task["key"]))
    verify = didkit.verify_credential if task["operation"] == "verifyCredential" else didkit.verify_presentation
    errors = json.loads(await verify(document, options))["errors"]
    if errors:
        raise ValueError("; ".join(errors))
    return "verified"


async def main():
    answers = []
    for task in json.load(sys.stdin):
        try:
            answers.append({"text": await run(task)})
        except Exception as error:  # a peer's refusal is an answer
            answers.append({"error": str(error) or type(error).__name__})
    sys.stdout.write(json.dumps(answers))
    sys.stdout.flush()


asyncio.run(main())
# didkit's runtime does not survive the interpreter's own end.
os._exit(0)
