import CBORKit
import COSEKit
import CryptoCore
import Foundation
import MdocKit
import TestSupport

extension FuzzTarget {
    /// The verification of mdocs: of a response that a script changes, before or after signing.
    package static let mdocVerification = [
        FuzzTarget(name: "mdoc-verification") { bytes in
            var script = FuzzScript(bytes)
            let edit = MdocResponseEdit.allCases[Int(script.byte()) % MdocResponseEdit.allCases.count]
            let status = script.choice(of: [CredentialStatus.good, .good, .revoked, .unknown("u")])
            let policy = script.byte() % 4 == 0 ? StatusPolicy.required : .whenNamed
            let changed = edit.apply(to: MdocFuzzScene.shared.response, by: &script)
            let response = try DeviceResponse(decoding: changed, options: .deployed)
            require(response.encodedBytes == changed[...], "the received bytes are kept")
            try InlineTask.run { await verify(response, status, policy, edit) }
        },
        FuzzTarget(name: "mdoc-credential-verification") { bytes in
            var script = FuzzScript(bytes)
            let genuine = MdocFuzzScene.shared.credentials[0].issuerSigned
            let isSignedAgain = script.byte().isMultiple(of: 2)
            var credential = try CBOR(decoding: Array(genuine.encodedBytes)).edited(by: &script)
            if isSignedAgain, let issuerAuth = credential[at: "issuerAuth"] {
                credential[at: "issuerAuth"] = FuzzKeys.signedAgain(
                    issuerAuth,
                    by: MdocFuzzScene.shared.pki.documentSignerKey
                )
            }
            let read = try IssuerSigned(decoding: credential.encoded(), options: .deployed)
            let verification = MdocFuzzScene.shared.verifier(status: .good, policy: .waived).verifyForStorage(read)
            requireReason(verification)
            guard case .verified(let verified) = verification.verdict, !isSignedAgain else { return }
            for group in verified.issuerSigned.nameSpaces {
                for item in group.items {
                    let own = genuine[group.nameSpace, item.elementIdentifier]
                    require(own?.taggedBytes == item.taggedBytes, "an element that nobody signed is verified")
                }
            }
        },
    ]

    private static func verify(
        _ response: DeviceResponse,
        _ status: CredentialStatus,
        _ policy: StatusPolicy,
        _ edit: MdocResponseEdit
    ) async {
        let scene = MdocFuzzScene.shared
        let verifier = scene.verifier(status: status, policy: policy)
        func verify() async -> Verification<[VerifiedMdocDocument]> {
            await verifier.verify(
                response,
                sessionTranscript: scene.transcript,
                readerKeys: [scene.readerKey],
                request: scene.request
            )
        }
        let verification = await verify()
        let again = await verify()
        require(verification.report == again.report, "a verdict changes")
        guard response.status == .ok else { return require(verification.verified == nil, "an error is verified") }
        let documents = response.documents.count + response.unreadableDocuments.count
        require(verification.documents.count == documents, "every document has its verdict")
        if response.encodedBytes == scene.response.encodedBytes, status == .good {
            require(verification.verifiedDocuments.count == documents, "the scene's own response does not verify")
        }
        for document in verification.documents {
            requireReason(document)
            guard let verified = document.verified else { continue }
            require(verified.status == nil || status == .good, "a credential that is not valid is verified")
            require(verified.status != nil || policy != .required, "a credential without status is verified")
            if edit == .afterSigning { requireGenuine(verified) }
        }
    }

    /// A refusal is that of the first failed check, and a verified document failed none.
    private static func requireReason<Value>(_ verification: Verification<Value>) {
        let failed = verification.checks.first(where: \.hasFailed)
        require(
            failed == nil || failed?.check == verification.refusal?.check,
            "a refusal names another check than the first failed one"
        )
    }

    /// Every verified element was signed by issuer or device.
    private static func requireGenuine(_ verified: VerifiedMdocDocument) {
        let genuine = MdocFuzzScene.shared.response.documents.first { $0.docType == verified.docType }
        for group in verified.elements.groups {
            for (identifier, element) in group.elements {
                let own = genuine?.issuerSigned[group.nameSpace, identifier]
                require(
                    element.source == .issuer && own?.elementValue.encodedBytes == element.view.encodedBytes,
                    "an element that nobody signed is verified"
                )
            }
        }
    }
}

/// The place of a change in a response, and the party that signs again.
private enum MdocResponseEdit: CaseIterable {
    /// Anything, without a new signature.
    case afterSigning
    /// The mobile security object, by the issuer.
    case securityObject
    /// The issuer's elements, with new digests and a new signature by the issuer.
    case elements
    /// The device's part, by the device.
    case device
    /// The document signer's certificate, by its authority.
    case certificate

    func apply(to response: DeviceResponse, by script: inout FuzzScript) -> [UInt8] {
        guard var tree = try? CBOR(decoding: Array(response.encodedBytes)) else { return [] }
        guard self != .afterSigning else { return tree.edited(by: &script).encoded() }
        let place = CBOR.unsigned(UInt64(script.byte() % 2))
        guard var documents = tree[at: "documents"], var document = documents[at: place] else { return [] }
        switch self {
        case .afterSigning: break
        case .securityObject: editSecurityObject(&document) { $0.edited(by: &script) }
        case .elements: editElements(&document, by: &script)
        case .device: editDevice(&document, by: &script)
        case .certificate: editCertificate(&document, by: &script)
        }
        documents[at: place] = document
        tree[at: "documents"] = documents
        return tree.encoded()
    }

    private func editIssuerAuth(_ document: inout CBOR, _ edit: (inout CBOR) -> Void) {
        guard var issuerSigned = document[at: "issuerSigned"], var issuerAuth = issuerSigned[at: "issuerAuth"] else {
            return
        }
        edit(&issuerAuth)
        issuerSigned[at: "issuerAuth"] = issuerAuth
        document[at: "issuerSigned"] = issuerSigned
    }

    private func editSecurityObject(_ document: inout CBOR, _ edit: (CBOR) -> CBOR) {
        editIssuerAuth(&document) { issuerAuth in
            guard let payload = issuerAuth[at: 2]?.children.first else { return }
            issuerAuth[at: 2] = .bytes(edit(payload).encoded())
            issuerAuth = FuzzKeys.signedAgain(issuerAuth, by: MdocFuzzScene.shared.pki.documentSignerKey)
        }
    }

    private func editElements(_ document: inout CBOR, by script: inout FuzzScript) {
        guard var issuerSigned = document[at: "issuerSigned"] else { return }
        let nameSpaces = issuerSigned[at: "nameSpaces"]?.edited(by: &script) ?? [:]
        issuerSigned[at: "nameSpaces"] = nameSpaces
        document[at: "issuerSigned"] = issuerSigned
        guard case .map(let groups) = nameSpaces else { return }
        let digests = groups.pairs.map { group -> CBORMap.Pair in
            let items = group.value.elements.compactMap { item -> CBORMap.Pair? in
                guard let id = item.children.first?.children.first?[at: "digestID"] else { return nil }
                return CBORMap.Pair(key: id, value: .bytes(HashAlgorithm.sha256.digest(of: item.encoded())))
            }
            return CBORMap.Pair(key: group.key, value: .map(CBORMap(items)))
        }
        editSecurityObject(&document) { payload in
            guard var object = payload.children.first?.children.first else { return payload }
            object[at: "valueDigests"] = .map(CBORMap(digests))
            return .embedded(object)
        }
    }

    private func editDevice(_ document: inout CBOR, by script: inout FuzzScript) {
        let scene = MdocFuzzScene.shared
        guard let deviceSigned = document[at: "deviceSigned"]?.edited(by: &script) else { return }
        document[at: "deviceSigned"] = deviceSigned
        guard case .text(let docType)? = document[at: "docType"], let nameSpaces = deviceSigned[at: "nameSpaces"],
            case .map(let authentication)? = deviceSigned[at: "deviceAuth"], let first = authentication.pairs.first
        else { return }
        let content = DeviceAuthentication(
            sessionTranscript: scene.transcript,
            docType: DocType(docType),
            deviceNameSpacesBytes: nameSpaces.encoded()
        ).taggedBytes
        var changed = deviceSigned
        let message =
            first.key == "deviceMac"
            ? FuzzKeys.authenticatedAgain(first.value, with: scene.macKey, detached: content)
            : FuzzKeys.signedAgain(first.value, by: scene.signingKey, detached: content)
        changed[at: "deviceAuth"] = .map(CBORMap([.init(key: first.key, value: message)]))
        document[at: "deviceSigned"] = changed
    }

    private func editCertificate(_ document: inout CBOR, by script: inout FuzzScript) {
        let pki = MdocFuzzScene.shared.pki
        guard let certificate = DERNode(pki.documentSigner.derBytes) else { return }
        let changed = FuzzKeys.signedAgain(certificate.edited(by: &script), by: pki.authorityKey)
        editIssuerAuth(&document) { $0[at: 1] = [33: .bytes(changed.encoded)] }
    }
}
