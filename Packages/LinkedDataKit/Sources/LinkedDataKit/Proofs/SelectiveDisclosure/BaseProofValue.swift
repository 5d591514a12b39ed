import CBORKit
import CryptoCore
import DIDKit
import JSONKit

/// The value of a base proof without the issuer's signature (Data Integrity ECDSA Cryptosuites 1.0, section 3.5.2).
///
/// It is for the holder alone: the key of the labels tells which statements were left out.
struct BaseProofContent: Sendable {
    /// The key that signed the statements.
    let key: StatementKey
    /// The key of the labels.
    let labelKey: SecretBytes
    /// The signatures of the statements that are not mandatory, in the order of those.
    let signatures: [[UInt8]]
    /// The places that must be disclosed.
    let mandatoryPointers: [JSONPointer]

    /// The length of the key of the labels, which is that of its digests (section 3.6.2, step 1).
    static let labelKeySize = 32

    /// The text of the value.
    func proofValue(baseSignature: [UInt8]) -> String {
        // A buffer that grows would leave copies of the key behind.
        let capacity = mandatoryPointers.reduce(256 + 66 * signatures.count) { $0 + $1.text.text.utf8.count + 9 }
        var writer = CBORWriter(capacity: capacity)
        writer.write(encoded: ProofValueReader.Kind.base.header)
        writer.beginArray(count: 5)
        writer.write(bytes: baseSignature)
        writer.write(bytes: key.bytes)
        labelKey.withUnsafeBytes { writer.write(bytes: $0) }
        writer.write(signatures: signatures)
        writer.beginArray(count: mandatoryPointers.count)
        for pointer in mandatoryPointers { writer.write(text: pointer.text.text) }
        var bytes = writer.finish()
        defer { wipe(&bytes) }
        return Multibase.encode(bytes, as: .base64url)
    }
}

extension CBORWriter {
    /// Writes the signatures of statements.
    mutating func write(signatures: [[UInt8]]) {
        beginArray(count: signatures.count)
        for signature in signatures { write(bytes: signature) }
    }
}

/// The value of a base proof, read and not verified (Data Integrity ECDSA Cryptosuites 1.0, section 3.5.3).
struct BaseProofValue {
    let baseSignature: [UInt8]
    let content: BaseProofContent

    /// Reads a value.
    ///
    /// - Throws: ``LinkedDataError/Code/invalidProofValue``, ``LinkedDataError/Code/limitExceeded``.
    init(_ text: String, _ limits: SelectiveDisclosureLimits) throws(LinkedDataError) {
        var reader = try ProofValueReader(text, limits)
        guard reader.kind == .base else {
            throw LinkedDataError(.invalidProofValue, "it is a derived proof, and nothing is derived from one")
        }
        baseSignature = Array(try reader.bytes(ProofValueReader.signatureSize))
        content = BaseProofContent(
            key: try reader.key(),
            labelKey: SecretBytes(try reader.bytes(BaseProofContent.labelKeySize)),
            signatures: try reader.signatures(),
            mandatoryPointers: try reader.pointers()
        )
    }
}

extension LinkedDataProof {
    /// Indicates a base proof of a suite with selective disclosure: it is for the holder alone, and never presented.
    ///
    /// Present what ``LinkedDataProver/derive(from:revealing:proof:)`` derives from it. A proof of the suite whose value cannot
    /// be read counts as one.
    public var isBaseProof: Bool {
        guard suite == .ecdsaSD2023 else { return false }
        guard let text = members["proofValue"]?.stringValue, let reader = try? ProofValueReader(text, .default) else {
            return true
        }
        return reader.kind == .base
    }
}
