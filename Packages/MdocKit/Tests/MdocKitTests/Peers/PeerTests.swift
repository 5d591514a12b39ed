import CBORKit
import CredentialTesting
import CryptoCore
import Foundation
import MdocKit
import TestSupport
import Testing

/// Credentials go from us to other people's libraries and back.
@Suite(.enabled(PythonPeers.absence) { await PythonPeers.shared.areAvailable })
struct PeerTests {
    private static let elements: [String: [String: String]] = [
        "org.iso.18013.5.1": ["family_name": "Doe", "given_name": "Jörg 日本", "document_number": "123456789"],
        "org.iso.18013.5.1.UT": ["favourite": "green"],
    ]

    @Test(arguments: PythonPeers.Peer.allCases)
    func theirsIsVerifiedByUs(_ peer: PythonPeers.Peer) async throws {
        let utopia = try await Utopia(at: Date())
        let issued = try await Self.issued(by: peer, utopia)
        let credential = try IssuerSigned(decoding: issued, options: .deployed)
        let strict = try? IssuerSigned(decoding: issued)
        #expect((strict != nil) == credential.deviations.isEmpty, "\(credential.deviations)")
        let verifier = utopia.verifier(at: Date())
        let verification = verifier.verifyForStorage(credential, deviceKey: utopia.deviceKey.publicKey)
        guard case .verified(let verified) = verification.verdict else {
            Issue.record("\(verification.checks)")
            return
        }
        #expect(verification.deviations.map(\.description) == credential.deviations.map(\.description))
        for (nameSpace, elements) in Self.elements {
            for (identifier, value) in elements {
                let item = verified.issuerSigned[NameSpace(nameSpace), DataElementIdentifier(identifier)]
                #expect(try item?.elementValue.text() == value)
            }
        }
        let response = try await utopia.present(credential)
        #expect(try await utopia.verify(response, with: verifier).verifiedDocuments.count == 1)
    }

    @Test(arguments: PythonPeers.Peer.allCases)
    func theirsTamperedIsRefusedByUs(_ peer: PythonPeers.Peer) async throws {
        let utopia = try await Utopia(at: Date())
        let tampered = try Self.tampered(await Self.issued(by: peer, utopia))
        let verification = utopia.verifier(at: Date()).verifyForStorage(
            try IssuerSigned(decoding: tampered, options: .deployed)
        )
        guard let failure = verification.failure else {
            Issue.record("verified")
            return
        }
        #expect(failure.check == .digests)
    }

    @Test(arguments: PythonPeers.Peer.allCases)
    func oursIsVerifiedByThem(_ peer: PythonPeers.Peer) async throws {
        let utopia = try await Utopia(at: Date())
        let answer = try await Self.verdict(of: peer, on: [UInt8](Self.response(utopia).encodedBytes), utopia)
        #expect(answer.refusal == nil)
        #expect(answer.elements == Self.elements)
    }

    @Test(arguments: PythonPeers.Peer.allCases)
    func oursTamperedIsRefusedByThem(_ peer: PythonPeers.Peer) async throws {
        let utopia = try await Utopia(at: Date())
        let tampered = try Self.tampered([UInt8](await Self.response(utopia).encodedBytes))
        let verifier = utopia.verifier(at: Date())
        let verification = try await utopia.verify(DeviceResponse(decoding: tampered), with: verifier)
        #expect(verification.documents.map(\.failure?.check) == [.digests])
        #expect(try await Self.verdict(of: peer, on: tampered, utopia).refusal != nil)
    }

    /// Only one of them looks at the device's signature.
    @Test func oursInAnotherSessionIsRefusedByThem() async throws {
        let utopia = try await Utopia(at: Date())
        var task = PeerTask(.verify, by: .isomdoc)
        task.response = try await Self.response(utopia).encodedBytes.hex
        task.transcript = SessionTranscript(handover: .qr).encodedBytes.hex
        #expect(try await PythonPeers.shared.run(task).refusal != nil)
    }

    private static func issued(by peer: PythonPeers.Peer, _ utopia: Utopia) async throws -> [UInt8] {
        var task = PeerTask(.issue, by: peer)
        task.docType = DocType.mDL.text
        task.elements = elements
        task.signer = utopia.documentSigner.derBytes.hex
        task.signerKey = utopia.documentSignerKey.pkcs8.withUnsafeBytes { [UInt8]($0) }.hex
        task.deviceKey = utopia.deviceKey.publicKey.subjectPublicKeyInfo.hex
        let answer = try await PythonPeers.shared.run(task)
        let encoded = try #require(answer.issuerSigned, "\(answer)")
        return try #require([UInt8](hex: encoded))
    }

    private static func response(_ utopia: Utopia) async throws -> DeviceResponse {
        let now = Date()
        let validity = ValidityInfo(signed: now, validFrom: now, validUntil: now + 30 * Utopia.day)
        var builder = IssuerSignedBuilder(
            docType: .mDL,
            deviceKey: utopia.deviceKey.publicKey,
            validityInfo: validity
        )
        for (nameSpace, elements) in elements {
            for (identifier, value) in elements {
                try builder.add(.text(value), as: DataElementIdentifier(identifier), in: NameSpace(nameSpace))
            }
        }
        return try await utopia.present(utopia.issue(builder))
    }

    private static func verdict(
        of peer: PythonPeers.Peer,
        on response: [UInt8],
        _ utopia: Utopia
    ) async throws -> PeerAnswer {
        var task = PeerTask(.verify, by: peer)
        task.response = response.hex
        task.transcript = utopia.transcript.encodedBytes.hex
        task.anchor = utopia.iaca.certificate.derBytes.hex
        return try await PythonPeers.shared.run(task)
    }

    /// The same with another family name.
    private static func tampered(_ bytes: [UInt8]) throws -> [UInt8] {
        let place = try #require(bytes.firstRange(of: Array("Doe".utf8)))
        var tampered = bytes
        tampered.replaceSubrange(place, with: Array("Roe".utf8))
        return tampered
    }
}
