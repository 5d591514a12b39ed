import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import LinkedDataKit

/// Fixed keys, their names, and a document that they sign.
struct ProofScene {
    /// The time for which everything is verified.
    static let now = Date(timeIntervalSince1970: 1_780_000_000)

    /// A document whose every term has a definition.
    static let document: JSONObject = [
        "@context": [
            "https://www.w3.org/ns/credentials/v2", "https://w3id.org/security/suites/jws-2020/v1",
            "https://w3id.org/security/suites/ed25519-2018/v1", "https://w3id.org/security/suites/ed25519-2020/v1",
        ],
        "id": "urn:uuid:58172aac-d8ba-11ed-83dd-0b3aef56cc33",
        "type": "VerifiableCredential",
        "issuer": "did:example:university",
        "credentialSubject": ["id": "did:example:alice", "name": "Alice"],
    ]

    /// A document of the data model 1.1, whose context defines the suites that have none of their own.
    static let earlierDocument: JSONObject = [
        "@context": "https://www.w3.org/2018/credentials/v1",
        "id": "urn:uuid:58172aac-d8ba-11ed-83dd-0b3aef56cc33",
        "type": "VerifiableCredential",
        "issuer": "did:example:university",
        "credentialSubject": ["id": "did:example:alice"],
    ]

    /// A document whose context defines a suite.
    static func document(for suite: LinkedDataProofSuite) -> JSONObject {
        switch suite {
        case .rsaSignature2018, .ecdsaSecp256k1Signature2019, .ecdsaSecp256r1Signature2019: earlierDocument
        default: document
        }
    }

    /// The key of a number on a curve.
    static func key(_ curve: EllipticCurve = .ed25519, number: UInt8 = 1) throws -> PrivateKey {
        try PrivateKey.generate(curve, using: RepeatedByte(number))
    }

    static func signer(_ curve: EllipticCurve = .ed25519, number: UInt8 = 1) throws -> SoftwareSigner {
        try SoftwareSigner(key(curve, number: number))
    }

    /// The name of a key in its `did:key`, or in `did:jwk` for one that `did:key` does not have.
    static func name(of key: PublicKey) throws -> DIDURL {
        let did = key.type == .rsa ? try DID.jwk(key) : try DID.key(key)
        return try DIDURL(did.text + "#" + (key.type == .rsa ? "0" : did.identifier))
    }

    static func options(for key: PublicKey) throws -> LinkedDataProofOptions {
        LinkedDataProofOptions(verificationMethod: try name(of: key), created: now.addingTimeInterval(-60))
    }

    /// The document, signed with options that the caller changes, in whatever form it has.
    static func signed(
        _ document: JSONObject? = nil,
        suite: LinkedDataProofSuite = .eddsaRDFC2022,
        with signer: (any Signer)? = nil,
        _ change: (inout LinkedDataProofOptions) throws -> Void = { _ in }
    ) async throws -> SecuredDocument {
        let signer = try signer ?? Self.signer()
        var options = try options(for: signer.publicKey)
        try change(&options)
        let document = document ?? Self.document(for: suite)
        let prover = LinkedDataProver(tolerances: [.otherForms, .sharedNodes])
        return try await prover.sign(document, suite: suite, options: options, with: signer)
    }

    static func verifier(
        _ policy: LinkedDataProofPolicy = LinkedDataProofPolicy(),
        resolver: any DIDResolver = DIDMethods.local
    ) -> LinkedDataVerifier {
        LinkedDataVerifier(policy: policy, resolver: resolver, clock: { now })
    }
}

/// A source of the same byte, for keys that are the same in each run.
struct RepeatedByte: RandomSource {
    private let byte: UInt8

    init(_ byte: UInt8) {
        self.byte = byte
    }

    func bytes(_ count: Int) -> [UInt8] { Array(repeating: byte, count: count) }
}

/// DID documents by their DID.
struct FixedDocuments: DIDResolver {
    let documents: [DID: DIDDocument]

    init(_ documents: DIDDocument...) {
        self.documents = Dictionary(documents.map { ($0.id, $0) }) { first, _ in first }
    }

    func document(of did: DID, at time: Date) throws(DIDError) -> DIDDocument {
        guard let document = documents[did] else { throw DIDError(.retrievalFailed, "\(did) is not at hand") }
        return document
    }
}

extension SecuredDocument {
    /// The document with a change of its members, proofs included.
    func changed(_ change: (inout JSONObject) throws -> Void) throws -> SecuredDocument {
        var members = unverifiedMembers
        try change(&members)
        return try SecuredDocument(json: members)
    }

    /// The document with a change of its only proof.
    func changedProof(_ change: (inout JSONObject) throws -> Void) throws -> SecuredDocument {
        try changed { members in
            var proof = members["proof"]?.objectValue ?? [:]
            try change(&proof)
            members["proof"] = .object(proof)
        }
    }
}

extension SecuredDocument {
    /// The document with a change of its only proof, which the usual Ed25519 key signs again.
    func signedAgain(_ change: (inout JSONObject) throws -> Void) throws -> SecuredDocument {
        let changed = try changedProof(change)
        let input = try ProofScene.verifier().input(ofProofAt: 0, in: changed)
        let signature = try ProofScene.signer().signature(for: input.hashData)
        return try changed.changedProof { $0["proofValue"] = .string(Multibase.encode(signature)) }
    }
}

extension Verification {
    /// The check and reason of the first failed check of a part, or of the whole.
    func refusal(ofPart name: String) -> Refusal? {
        parts.first { $0.name == name }?.verification.refusal
    }
}
