import CryptoCore
import DIDKit
import JOSEKit
import JSONKit
import VerificationCore

/// The signature of a proof as its suite writes it, read and not verified.
enum ProofSignature {
    /// `proofValue`.
    case bytes([UInt8])
    /// `proofValue` of a derived proof.
    case derived(DerivedProofValue)
    /// `jws`.
    case jws(JWS, JWSAlgorithm)
    /// `signatureValue`, with RS256.
    case signatureValue([UInt8])

    /// The longest text that is read.
    private static let maximumLength = 8192

    /// Reads the signature of a proof.
    ///
    /// - Throws: ``LinkedDataError/Code/invalidProofValue``; ``LinkedDataError/Code/limitExceeded`` for a value that
    ///   discloses more than the limits allow.
    init(
        _ proof: LinkedDataProof,
        _ scheme: ProofScheme,
        _ limits: SelectiveDisclosureLimits
    ) throws(LinkedDataError) {
        let present = LinkedDataProof.valueMembers.filter { proof.members.contains($0) }
        guard present.count == 1, let name = present.first else {
            throw Self.invalid("there is not exactly one signature", at: [])
        }
        guard let text = proof.members[name]?.stringValue,
            scheme.isSelective || text.utf8.count <= Self.maximumLength
        else {
            throw Self.invalid("it is no text, or too long", at: [name])
        }
        switch (scheme.valueForm, name) {
        case (.multibase, "proofValue"), (.jwsOrMultibase, "proofValue"):
            self = .bytes(try Self.multibase(text, scheme))
        case (.selectiveDisclosure, "proofValue"):
            do throws(LinkedDataError) {
                self = .derived(try DerivedProofValue(text, limits))
            } catch {
                throw error.inside(name)
            }
        case (.jws(let accepted), "jws"), (.jwsOrMultibase(let accepted), "jws"),
            (.jwsOrSignatureValue(let accepted), "jws"):
            self = try Self.jws(text, accepted)
        case (.jwsOrSignatureValue, "signatureValue"):
            guard let bytes = try? JSONBase64.base64.decode(text) else {
                throw Self.invalid("it is not in base64", at: [name])
            }
            self = .signatureValue(bytes)
        default: throw Self.invalid("\(proof.suite) has its signature in another member", at: [name])
        }
    }

    private static func multibase(_ text: String, _ scheme: ProofScheme) throws(LinkedDataError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(DIDError) {
            bytes = try Multibase.decode(text, accepting: [.base58btc])
        } catch {
            throw LinkedDataError(.invalidProofValue, error.message, path: ["proofValue"], cause: error)
        }
        guard scheme.signatureSizes.contains(bytes.count) else {
            throw invalid("\(bytes.count) bytes are no signature of the suite", at: ["proofValue"])
        }
        return bytes
    }

    /// Reads a detached JWS, whose header must say that the payload is not encoded (RFC 7797, section 6).
    private static func jws(_ text: String, _ accepted: Set<JWSAlgorithm>) throws(LinkedDataError) -> ProofSignature {
        do throws(JOSEError) {
            let jws = try JWS(compact: text)
            let header = try jws.unverifiedHeader()
            guard jws.isDetached else { throw JOSEError(.payloadNotDetached, "the payload is not detached") }
            guard try !header.encodesPayload(), try header.critical()?.contains("b64") == true else {
                throw JOSEError(.invalidHeader, "b64 is not false, or not critical", path: ["b64"])
            }
            guard let algorithm = try header.signatureAlgorithm(), accepted.contains(algorithm) else {
                throw JOSEError(.algorithmNotAllowed, "the suite does not have the algorithm", path: ["alg"])
            }
            return .jws(jws, algorithm)
        } catch {
            throw LinkedDataError(.invalidProofValue, error.message, path: ["jws"] + error.path, cause: error)
        }
    }

    private static func invalid(_ message: String, at path: [String]) -> LinkedDataError {
        LinkedDataError(.invalidProofValue, message, path: path)
    }

    /// The algorithm for a key; nil for a key that does not go with it.
    func algorithm(for key: PublicKey, _ scheme: ProofScheme) -> SignatureAlgorithm? {
        switch self {
        case .bytes(let signature):
            guard let algorithm = scheme.algorithm(for: key), let curve = key.curve,
                signature.count == 2 * curve.coordinateSize
            else { return nil }
            return algorithm
        case .derived: return scheme.algorithm(for: key)
        case .jws(_, let name):
            let algorithm = name.signatureAlgorithm(for: key)
            return algorithm == .ed448 ? nil : algorithm
        case .signatureValue: return JWSAlgorithm.rs256.signatureAlgorithm(for: key)
        }
    }

    /// The value of a derived proof; nil for other suites.
    var disclosure: DerivedProofValue? { if case .derived(let value) = self { value } else { nil } }

    /// The name that restrictions of a key speak of.
    func name(_ algorithm: SignatureAlgorithm, for key: PublicKey) -> JWSAlgorithm? {
        if case .jws(_, let name) = self { name } else { JWSAlgorithm(algorithm, for: key) }
    }

    /// Returns `true` if the signature verifies; the header of a JWS is taken as written.
    func isValid(_ input: LinkedDataProofInput, key: PublicKey, algorithm: SignatureAlgorithm) -> Bool {
        switch self {
        case .bytes(let signature), .signatureValue(let signature):
            return key.isValidSignature(signature, for: input.hashData, algorithm: algorithm)
        case .derived(let value):
            // The issuer's signature comes first: a value that it does not cover costs one verification.
            return key.isValidSignature(value.baseSignature, for: input.hashData, algorithm: algorithm)
                && value.key.signs(input.statements, value.signatures)
        case .jws(let jws, let name):
            let policy = JWSVerificationPolicy(algorithms: [name])
            return (try? jws.verify(with: key, policy: policy, detachedPayload: input.hashData)) != nil
        }
    }
}
