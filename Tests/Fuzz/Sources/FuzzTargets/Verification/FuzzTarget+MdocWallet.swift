import CBORKit
import CryptoCore
import Foundation
import MdocKit
import TestSupport

extension FuzzTarget {
    /// A wallet's processing of a request: authenticates the reader, matches, and answers by its holder's decision.
    package static let mdocWallet = [
        FuzzTarget(name: "mdoc-request-matching") { bytes in
            var script = FuzzScript(bytes)
            let isSignedAgain = script.byte().isMultiple(of: 2)
            let consent = script.bytes()
            var request = try CBOR(decoding: Array(MdocFuzzScene.shared.request.encodedBytes)).edited(by: &script)
            if isSignedAgain { signAgain(&request) }
            let read = try DeviceRequest(decoding: request.encoded(), options: .deployed)
            let readers = authenticate(read, isSignedAgain)
            try InlineTask.run {
                let match = RequestMatch(read, in: MdocFuzzScene.shared.credentials, at: FuzzKeys.time)
                let full = match.fullConsent()
                require(full.entries.map(\.docRequest) == match.answerable, "full consent answers what can be answered")
                do {
                    _ = try match.summary(of: full, readers: readers)
                } catch {
                    require(false, "full consent is refused: \(error)")
                }
                // Answers that the reader wants encrypted are refused without a transcript for it.
                try? await answer(match, full)
                try await answer(match, decision(match, by: consent))
            }
        }
    ]

    /// A verified reader signed the request with a key that its authority vouches for.
    private static func authenticate(
        _ request: DeviceRequest,
        _ isSignedAgain: Bool
    ) -> ReaderAuthenticationVerification {
        let scene = MdocFuzzScene.shared
        let verifier = ReaderAuthenticationVerifier(
            trustAnchors: [scene.pki.readerAuthority.certificate],
            clock: { FuzzKeys.time }
        )
        let verification = verifier.verify(request, sessionTranscript: scene.transcript)
        require(verification.docRequests.count == request.docRequests.count, "every document request has its result")
        for (docRequest, result) in zip(request.docRequests, verification.docRequests) {
            guard let result else { continue }
            let failed = result.checks.first(where: \.hasFailed)
            require(failed?.check == result.refusal?.check, "a refusal names another check than the first failed one")
            guard result.verified != nil, !isSignedAgain else { continue }
            let genuine = scene.request.docRequests.map(\.itemsRequest.taggedBytes)
            require(genuine.contains(docRequest.itemsRequest.taggedBytes), "an unsigned request has a reader")
        }
        for party in verification.parties {
            require(party.docRequests.allSatisfy(request.docRequests.indices.contains), "a party signed no request")
        }
        return verification
    }

    /// The answer verifies, and contains only the elements of the decision.
    private static func answer(_ match: RequestMatch, _ decision: ConsentDecision) async throws {
        let scene = MdocFuzzScene.shared
        let response = try await match.response(
            to: decision,
            sessionTranscript: scene.transcript,
            at: FuzzKeys.time,
            readerKeys: [scene.readerKey.publicKey],
            reportsErrors: true,
            deviceKey: scene.handle
        )
        let read = try DeviceResponse(decoding: Array(response.encodedBytes))
        require(read.documents.count == decision.entries.count, "every entry is answered")
        for (document, entry) in zip(read.documents, decision.entries) {
            for group in document.issuerSigned.nameSpaces {
                for item in group.items {
                    let element = DataElementReference(group.nameSpace, item.elementIdentifier)
                    require(entry.elements.contains(element), "an element is shown that was not chosen")
                }
            }
        }
        guard match.request.macKeys.isEmpty else { return }
        let verification = await scene.verifier(status: .good, policy: .whenNamed).verify(
            read,
            sessionTranscript: scene.transcript,
            readerKeys: [scene.readerKey],
            request: match.request
        )
        require(verification.verifiedDocuments.count == decision.entries.count, "an own answer does not verify")
    }

    /// A decision made by the script: each entry a document request, a credential, and some of the requested elements.
    private static func decision(_ match: RequestMatch, by bytes: [UInt8]) -> ConsentDecision {
        var script = FuzzScript(bytes)
        var entries: [ConsentDecision.Entry] = []
        while !script.isAtEnd, entries.count < 4 {
            let docRequest = Int(script.byte() % 3)
            let credential = script.choice(of: MdocFuzzScene.shared.credentials)
            let mask = script.byte()
            let disclosed =
                match.docRequests.indices.contains(docRequest)
                ? match.docRequests[docRequest].candidates.first { $0.credential.id == credential.id }?.disclosed : nil
            var elements: [DataElementReference] = []
            for (index, element) in (disclosed ?? []).enumerated() where mask >> (index % 8) & 1 == 1 {
                elements.append(element)
            }
            if mask == 0 { elements.append(DataElementReference(.mDL, "family_name")) }
            entries.append(.init(docRequest: docRequest, credential: credential.id, elements: elements))
        }
        return ConsentDecision(entries)
    }

    /// Signs every document request again that carries a reader's signature.
    private static func signAgain(_ request: inout CBOR) {
        let scene = MdocFuzzScene.shared
        guard let transcript = try? CBOR(decoding: scene.transcript.encodedBytes) else { return }
        let requests = (request[at: "docRequests"]?.elements ?? []).map { docRequest -> CBOR in
            guard let items = docRequest[at: "itemsRequest"], let readerAuth = docRequest[at: "readerAuth"] else {
                return docRequest
            }
            let content = CBOR.embedded(["ReaderAuthentication", transcript, items]).encoded()
            var signed = docRequest
            signed[at: "readerAuth"] = FuzzKeys.signedAgain(readerAuth, by: scene.pki.readerKey, detached: content)
            return signed
        }
        request[at: "docRequests"] = .array(requests)
    }
}
