import CryptoCore
import DIDKit
import Foundation
import JSONKit
import LinkedDataKit
import Synchronization

/// An issuer with `ecdsa-sd-2023`, a credential with blank nodes, arrays and a list, and proofs derived from it.
struct DisclosureScene {
    static let now = ProofScene.now
    static let mandatory = ["/issuer", "/validUntil"]

    let issuer: SoftwareSigner
    let holder: SoftwareSigner

    init() throws {
        issuer = try ProofScene.signer(.p256, number: 1)
        holder = try ProofScene.signer(.p256, number: 2)
    }

    var issuerDID: DID { get throws { try ProofScene.name(of: issuer.publicKey).did } }
    var holderDID: DID { get throws { try ProofScene.name(of: holder.publicKey).did } }

    /// A credential about the holder, with several nodes that have no name.
    func members() throws -> JSONObject {
        let example = "https://example.org/vocabulary#"
        let content = try W3CCredentialContent(
            types: ["Diploma"],
            contexts: [
                [
                    "degree": .string(example + "degree"),
                    "address": .string(example + "address"), "city": .string(example + "city"),
                    "course": .string(example + "course"), "grade": .string(example + "grade"),
                    "path": ["@id": .string(example + "path"), "@container": "@list"],
                    "Course": .string(example + "Course"), "Diploma": .string(example + "Diploma"),
                ]
            ],
            issuer: issuerDID.text,
            subjects: [
                [
                    "id": .string(try holderDID.text),
                    "name": "Alice",
                    "degree": ["name": "Bachelor", "grade": "first"],
                    "address": ["city": "Bern"],
                    "course": [
                        ["type": "Course", "name": "Algebra", "grade": "6"],
                        ["type": "Course", "name": "Biology", "grade": "5"],
                        ["type": "Course", "name": "Chemistry", "grade": "4"],
                    ],
                    "path": ["north", ["city": "Thun"], "south"],
                ]
            ],
            validFrom: Self.now.addingTimeInterval(-86_400),
            validUntil: Self.now.addingTimeInterval(86_400)
        )
        return content.members
    }

    func options(_ mandatory: [String] = Self.mandatory) throws -> LinkedDataProofOptions {
        var options = try ProofScene.options(for: issuer.publicKey)
        options.mandatoryPointers = try mandatory.map { try JSONPointer($0) }
        return options
    }

    /// The credential with a base proof.
    func base(
        _ members: JSONObject? = nil,
        mandatory: [String] = Self.mandatory,
        prover: LinkedDataProver = LinkedDataProver()
    ) async throws -> SecuredDocument {
        let members = try members ?? self.members()
        return try await prover.sign(members, suite: .ecdsaSD2023, options: options(mandatory), with: issuer)
    }

    /// The credential with a proof that discloses some places.
    func derived(_ selected: String..., from base: SecuredDocument? = nil) async throws -> SecuredDocument {
        let base = if let base { base } else { try await self.base() }
        return try LinkedDataProver().derive(from: base, revealing: selected.map { try JSONPointer($0) })
    }

    /// A verifier that trusts the issuer.
    func verifier(_ policy: W3CCredentialPolicy = W3CCredentialPolicy()) throws -> W3CCredentialVerifier {
        W3CCredentialVerifier(
            policy: policy,
            trust: .issuers([ExactText(try issuerDID.text)]),
            clock: { Self.now }
        )
    }
}

/// A source of prepared bytes, each piece for one request.
final class QueuedBytes: RandomSource {
    private let pieces: Mutex<[[UInt8]]>

    init(_ pieces: [UInt8]...) {
        self.pieces = Mutex(pieces)
    }

    func bytes(_ count: Int) -> [UInt8] {
        let piece = pieces.withLock { $0.isEmpty ? [] : $0.removeFirst() }
        return Array((piece + Array(repeating: 0, count: count)).prefix(count))
    }
}
