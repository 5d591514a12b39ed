import CBORKit
import CryptoCore
import DIDKit

/// The value of a derived proof (Data Integrity ECDSA Cryptosuites 1.0, sections 3.5.7 and 3.5.8).
struct DerivedProofValue {
    /// The issuer's signature over the options of the proof, the key of the statements, and the mandatory statements.
    let baseSignature: [UInt8]
    /// The key that signed the other statements.
    let key: StatementKey
    /// The signatures of those of the other statements that are disclosed, in their order.
    let signatures: [[UInt8]]
    /// The digests that are the labels of the blank nodes, in the order of their canonical identifiers.
    let labels: [[UInt8]]
    /// The indexes of the mandatory statements among those disclosed, ascending.
    let mandatoryIndexes: [Int]

    /// Reads a value.
    ///
    /// - Throws: ``LinkedDataError/Code/invalidProofValue``, ``LinkedDataError/Code/limitExceeded``.
    init(_ text: String, _ limits: SelectiveDisclosureLimits) throws(LinkedDataError) {
        var reader = try ProofValueReader(text, limits)
        guard reader.kind == .derived else {
            throw LinkedDataError(
                .invalidProofValue,
                "it is a base proof, which is for the holder: verifiers take proofs that are derived from it"
            )
        }
        baseSignature = Array(try reader.bytes(ProofValueReader.signatureSize))
        key = try reader.key()
        signatures = try reader.signatures()
        labels = try reader.labels()
        mandatoryIndexes = try reader.indexes()
    }

    init(
        baseSignature: [UInt8],
        key: StatementKey,
        signatures: [[UInt8]],
        labels: [[UInt8]],
        mandatoryIndexes: [Int]
    ) {
        self.baseSignature = baseSignature
        self.key = key
        self.signatures = signatures
        self.labels = labels
        self.mandatoryIndexes = mandatoryIndexes
    }

    /// The text of the value.
    var text: String {
        var writer = CBORWriter(capacity: 256 + 66 * signatures.count + 36 * labels.count)
        writer.write(encoded: ProofValueReader.Kind.derived.header)
        writer.beginArray(count: 5)
        writer.write(bytes: baseSignature)
        writer.write(bytes: key.bytes)
        writer.write(signatures: signatures)
        writer.beginMap(count: labels.count)
        for (number, label) in labels.enumerated() {
            writer.write(integer: number)
            writer.write(bytes: label)
        }
        writer.beginArray(count: mandatoryIndexes.count)
        for index in mandatoryIndexes { writer.write(integer: index) }
        return Multibase.encode(writer.finish(), as: .base64url)
    }

    /// The statements of a disclosed document: those that are mandatory, and those that each have a signature
    /// (section 3.5.9, steps 3 to 6).
    ///
    /// - Throws: ``LinkedDataError/Code/invalidProofValue`` if labels, indexes and signatures do not go with the document.
    func statements(
        of document: ExpandedDocument,
        _ settings: LinkedDataSettings
    ) throws(LinkedDataError) -> (mandatory: [[UInt8]], signed: [[UInt8]]) {
        let labels = labels
        var (lines, _) = try settings.relabeled(document.toRDF()) { (count) throws(LinkedDataError) in
            guard count == labels.count else {
                throw Self.mismatch("\(labels.count) labels are there for \(count) blank nodes")
            }
            return labels.map(StatementLabel.text)
        }
        lines.sort { $0.lexicographicallyPrecedes($1) }
        guard mandatoryIndexes.last ?? -1 < lines.count else {
            throw Self.mismatch("an index is beyond the \(lines.count) statements")
        }
        let mandatory = Set(mandatoryIndexes)
        let signed = lines.indices.filter { !mandatory.contains($0) }
        guard signed.count == signatures.count else {
            throw Self.mismatch("\(signatures.count) signatures are there for \(signed.count) statements")
        }
        return (mandatoryIndexes.map { lines[$0] }, signed.map { lines[$0] })
    }

    private static func mismatch(_ message: String) -> LinkedDataError {
        LinkedDataError(.invalidProofValue, message, path: ["proofValue"])
    }
}
