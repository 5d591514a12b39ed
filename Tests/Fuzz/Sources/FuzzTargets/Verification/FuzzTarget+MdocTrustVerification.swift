import CBORKit
import COSEKit
import CryptoCore
import Foundation
import MdocKit
import MdocTrust
import StatusListKit
import TestSupport

extension FuzzTarget {
    /// The verification of lists of authorities and of revocations: a script changes a list, which may then be signed
    /// again.
    package static let mdocTrustVerification = [
        FuzzTarget(name: "mdoc-vical-verification") { bytes in
            let scene = MdocTrustFuzzScene.shared
            var script = FuzzScript(bytes)
            let (changed, isSignedAgain) = scene.changed(scene.vical, by: &script)
            let list = try VICAL(decoding: changed, options: .deployed)
            let anchors = [scene.pki.readerAuthority.certificate]
            let verification = list.verify(anchors: anchors, at: FuzzKeys.time, lastIssueID: 3)
            requireReason(verification)
            require(changed != scene.vical || verification.verified != nil, "the scene's own list does not verify")
            guard let verified = verification.verified else { return }
            require(isSignedAgain || scene.hasSignedContent(changed, of: scene.vical), "an unsigned list is verified")
            require(verified.trustAnchors.count <= verified.list.certificateInfos.count, "anchors come from entries")
        },
        FuzzTarget(name: "mdoc-rical-verification") { bytes in
            let scene = MdocTrustFuzzScene.shared
            var script = FuzzScript(bytes)
            let (changed, isSignedAgain) = scene.changed(scene.rical, by: &script)
            let list = try RICAL(decoding: changed, options: .deployed)
            let anchors = [scene.pki.readerAuthority.certificate]
            let verification = list.verify(anchors: anchors, at: FuzzKeys.time)
            requireReason(verification)
            require(changed != scene.rical || verification.verified != nil, "the scene's own list does not verify")
            guard let verified = verification.verified else { return }
            require(isSignedAgain || scene.hasSignedContent(changed, of: scene.rical), "an unsigned list is verified")
            let verifier = ReaderAuthenticationVerifier(
                authorities: verified.readerAuthorities,
                clock: { FuzzKeys.time }
            )
            let mdoc = MdocFuzzScene.shared
            _ = verifier.verify(mdoc.request, sessionTranscript: mdoc.transcript)
        },
        FuzzTarget(name: "mdoc-identifier-list-verification") { bytes in
            let scene = MdocTrustFuzzScene.shared
            var script = FuzzScript(bytes)
            let (changed, isSignedAgain) = scene.changed(scene.identifierList, by: &script)
            let token = try IdentifierListToken(cwt: changed)
            let list = try token.verify(
                for: MdocTrustFuzzScene.uri,
                anchors: [scene.pki.authority.certificate],
                at: FuzzKeys.time
            )
            .get()
            require(
                isSignedAgain || scene.hasSignedContent(changed, of: scene.identifierList),
                "an unsigned list is verified"
            )
            require(list.identifiers.allSatisfy(list.contains), "an identifier of the list is not in it")
            guard !isSignedAgain else { return }
            require(list.contains([1, 2]) && !list.contains([1]), "the list says what its signer did not")
        },
    ]

    private static func requireReason<List>(_ verification: Verification<List>) {
        let failed = verification.checks.first(where: \.hasFailed)
        require(failed?.check == verification.refusal?.check, "a refusal names another check than the first failed one")
    }
}

/// Lists of authorities and of identifiers, with their signers.
private struct MdocTrustFuzzScene: Sendable {
    static let shared: MdocTrustFuzzScene = {
        do { return try InlineTask.run { try await MdocTrustFuzzScene() } } catch { fatalError("\(error)") }
    }()

    static let uri = "https://a.example/identifiers"

    let pki: MdocFuzzPKI
    let vical: [UInt8]
    let rical: [UInt8]
    let identifierList: [UInt8]

    private init() async throws {
        pki = MdocFuzzScene.shared.pki
        let (time, signer) = (FuzzKeys.time, try SoftwareSigner(pki.listSignerKey))
        var authorities = VICALBuilder(provider: "Utopia", date: time - 60)
        authorities.issueID = 4
        authorities.nextUpdate = time + 3600
        try authorities.add(
            pki.authority.certificate,
            docTypes: [.mDL],
            certificateProfiles: ["p"],
            issuingAuthority: "Utopia"
        )
        vical = Array(try await authorities.sign(with: signer, x5chain: [pki.vicalSigner]).encodedBytes)
        var readers = RICALBuilder(provider: "Utopia", date: time - 60)
        readers.notAfter = time + 3600
        try readers.add(pki.readerAuthority.certificate, name: "readers")
        try readers.add(pki.readerAuthority.certificate, trustConstraints: [["c": 1]])
        rical = Array(try await readers.sign(with: signer, x5chain: [pki.ricalSigner]).encodedBytes)
        let content = try IdentifierListContent(
            uri: Self.uri,
            identifiers: [[1, 2], [3]],
            issuedAt: time - 60,
            expirationTime: time + 3600,
            timeToLive: 60
        )
        identifierList = try await content.signedCWT(x5chain: [pki.statusSigner], with: signer).encodedBytes
    }

    /// A COSE_Sign1 changed by a script, and whether it was signed again.
    func changed(_ message: [UInt8], by script: inout FuzzScript) -> (bytes: [UInt8], isSignedAgain: Bool) {
        guard let genuine = try? CBOR(decoding: message) else { return ([], false) }
        switch script.byte() % 3 {
        case 0: return (genuine.edited(by: &script).encoded(), false)
        case 1:
            guard case .tagged(let tag, let content) = genuine else {
                return (FuzzKeys.signedAgain(genuine.edited(by: &script), by: pki.listSignerKey).encoded(), true)
            }
            let signed = FuzzKeys.signedAgain(content.edited(by: &script), by: pki.listSignerKey)
            return (CBOR.tagged(tag, signed).encoded(), true)
        default:
            // The payload alone.
            var content = Self.content(genuine)
            guard let payload = content[at: 2]?.children.first else { return ([], false) }
            content[at: 2] = .bytes(payload.edited(by: &script).encoded())
            let signed = FuzzKeys.signedAgain(content, by: pki.listSignerKey)
            guard case .tagged(let tag, _) = genuine else { return (signed.encoded(), true) }
            return (CBOR.tagged(tag, signed).encoded(), true)
        }
    }

    /// Returns `true` if protected headers, payload and signature are the genuine ones.
    func hasSignedContent(_ changed: [UInt8], of genuine: [UInt8]) -> Bool {
        guard let changed = try? CBOR(decoding: changed), let genuine = try? CBOR(decoding: genuine) else {
            return false
        }
        let (one, other) = (Self.content(changed), Self.content(genuine))
        // ECDSA is malleable: of a signature, s and its negative are both valid.
        return [CBOR.unsigned(0), 2].allSatisfy { one[at: $0] == other[at: $0] }
    }

    private static func content(_ message: CBOR) -> CBOR {
        if case .tagged(_, let content) = message { content } else { message }
    }
}
