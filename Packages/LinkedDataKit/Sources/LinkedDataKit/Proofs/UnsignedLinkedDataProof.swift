public import CryptoCore
import DIDKit
import JOSEKit
import JSONKit

/// A proof without its signature, for signatures that are made elsewhere: on a card, in a wallet's backend.
public struct UnsignedLinkedDataProof: Sendable {
    /// The bytes to sign.
    ///
    /// They are the two digests, or for a suite with a JWS its header, a period and the two digests. In `ecdsa-sd-2023`
    /// the key of the statements is between the digests, and its signatures are made already.
    public let bytesToSign: [UInt8]
    /// The canonical forms and digests that the bytes are made of.
    public let input: LinkedDataProofInput
    /// The algorithm of the signature.
    public var algorithm: SignatureAlgorithm { signing.algorithm }

    private let members: JSONObject
    private let signing: ProofSigning
    private let document: SecuredDocument
    private let jws: JWS.Unsigned?
    /// The value of a base proof; nil for other suites.
    private let base: BaseProofContent?

    init(
        input: LinkedDataProofInput,
        members: JSONObject,
        signing: ProofSigning,
        document: SecuredDocument,
        base: BaseProofContent? = nil
    ) throws(LinkedDataError) {
        self.base = base
        self.input = input
        self.members = members
        self.signing = signing
        self.document = document
        if let header = signing.jwsHeader {
            do throws(JOSEError) {
                let unsigned = try JWS.Unsigned(payload: input.hashData, detached: true, header: header)
                jws = unsigned
                bytesToSign = unsigned.bytesToSign
            } catch {
                throw LinkedDataError(.signingFailed, error.message, cause: error)
            }
        } else {
            jws = nil
            bytesToSign = input.hashData
        }
    }

    /// The document with the proof.
    ///
    /// - Parameter signature: The signature over ``bytesToSign``; for ECDSA r‖s in fixed width, not DER.
    /// - Throws: ``LinkedDataError/Code/invalidProofValue`` for a length that the algorithm cannot have.
    public func completed(with signature: [UInt8]) throws(LinkedDataError) -> SecuredDocument {
        var members = members
        if let jws {
            do throws(JOSEError) {
                members["jws"] = .string(try jws.completed(with: signature).compactSerialization())
            } catch {
                throw LinkedDataError(.invalidProofValue, error.message, cause: error)
            }
        } else {
            guard signature.count == signing.signatureSize else {
                throw LinkedDataError(
                    .invalidProofValue,
                    "\(signature.count) bytes are no signature of \(algorithm): r‖s has a fixed width"
                )
            }
            members["proofValue"] = .string(base?.proofValue(baseSignature: signature) ?? Multibase.encode(signature))
        }
        return try document(with: members)
    }

    /// The document with a detached JWS over ``LinkedDataProofInput/hashData`` that another library made, with a header of its own.
    ///
    /// The signature is not verified.
    ///
    /// - Parameter text: The compact serialization.
    /// - Returns: The document, the signature, and the bytes that it is over.
    /// - Throws: ``LinkedDataError/Code/unsupportedSuite`` for a suite without a JWS,
    ///   ``LinkedDataError/Code/invalidProofValue`` for a text that is not a detached JWS, and for a header that names
    ///   another algorithm or encodes the payload.
    public func completed(
        withJWS text: String
    ) throws(LinkedDataError) -> (document: SecuredDocument, signature: [UInt8], signedBytes: [UInt8]) {
        guard let expected = signing.jwsHeader else {
            throw LinkedDataError(.unsupportedSuite, "the proofs of the suite have no JWS", path: ["proof"])
        }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        var members = members
        let signature: [UInt8]
        do throws(JOSEError) {
            let header = try JWS(compact: text).unverifiedHeader()
            guard parts.count == 3, parts[1].isEmpty, header["alg"] == expected["alg"], header["b64"] == false else {
                throw JOSEError(.invalidHeader, "the JWS is not one of the suite")
            }
            signature = try Base64URL.decode(parts[2])
        } catch {
            throw LinkedDataError(.invalidProofValue, error.message, path: ["jws"], cause: error)
        }
        members["jws"] = .string(text)
        return (try document(with: members), signature, Array(parts[0]) + [UInt8(ascii: ".")] + input.hashData)
    }

    private func document(with members: JSONObject) throws(LinkedDataError) -> SecuredDocument {
        var signed = document.unverifiedMembers
        let proof = JSONValue.object(members)
        if document.proofs.isEmpty {
            signed["proof"] = proof
        } else {
            signed["proof"] = .array((signed["proof"].map { $0.arrayValue ?? [$0] } ?? []) + [proof])
        }
        return try SecuredDocument(json: signed)
    }
}

/// The algorithm with which a key signs in a suite.
struct ProofSigning: Sendable {
    let algorithm: SignatureAlgorithm
    /// The header of the suite's JWS, or nil for a suite with `proofValue`.
    let jwsHeader: JOSEHeader?
    /// The length of a signature in `proofValue`.
    let signatureSize: Int

    init(
        _ scheme: ProofScheme,
        _ suite: LinkedDataProofSuite,
        _ key: PublicKey,
        _ name: JWSAlgorithm?
    ) throws(LinkedDataError) {
        let mismatch = LinkedDataError(
            .keyMismatch,
            "\(suite) does not sign with \(key) and the algorithm",
            path: ["proof"]
        )
        signatureSize = 2 * (key.curve?.coordinateSize ?? 0)
        guard let accepted = scheme.jwsAlgorithms else {
            guard let algorithm = scheme.algorithm(for: key) else { throw mismatch }
            self.algorithm = algorithm
            jwsHeader = nil
            return
        }
        let byDefault: [JWSAlgorithm] =
            suite == .rsaSignature2018 ? [.rs256] : [.edDSA, .es256, .es384, .es256K, .ps256]
        let name = name ?? byDefault.first { $0.signatureAlgorithm(for: key) != nil }
        guard let name, accepted.contains(name), let algorithm = name.signatureAlgorithm(for: key) else {
            throw mismatch
        }
        // RFC 8037 lets EdDSA stand for Ed448, too, which no suite has.
        guard key.curve?.family != .edwards || key.curve == .ed25519 else { throw mismatch }
        self.algorithm = algorithm
        jwsHeader = ["alg": .string(name.rawValue), "b64": false, "crit": ["b64"]]
    }
}
