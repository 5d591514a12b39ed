import JSONKit
import VerificationCore

/// A resource that a credential names with its digests: an object of `relatedResource` (Verifiable Credentials Data Model
/// 2.0, section 5.3).
struct RelatedResource: Hashable, Sendable {
    /// The identifier.
    let id: ExactText
    /// The members `digestSRI` and `digestMultibase`, each a text or a list of texts.
    private let sri: [String]
    private let multibase: [String]

    private static let maximumDigests = 16

    /// Reads an object; nil for one without an absolute IRI, or without a digest.
    init?(json members: JSONObject) {
        guard let id = members["id"]?.stringValue, IRIReference.isWellFormed(id),
            let sri = Self.texts(members["digestSRI"]), let multibase = Self.texts(members["digestMultibase"]),
            !sri.isEmpty || !multibase.isEmpty
        else { return nil }
        self.id = ExactText(id)
        self.sri = sri
        self.multibase = multibase
    }

    private static func texts(_ value: JSONValue?) -> [String]? {
        guard let value else { return [] }
        let texts = value.elements.compactMap(\.stringValue)
        return texts.isEmpty || texts.count > maximumDigests || texts.count != value.elements.count ? nil : texts
    }

    /// The digests; a text of `digestSRI` may have several, with ASCII white space between them.
    private func digests() throws(LinkedDataError) -> [ResourceDigest] {
        let expressions = sri.flatMap { $0.utf8.split(whereSeparator: Self.isWhiteSpace) }
        let read =
            expressions.map(ResourceDigest.init(hashExpression:)) + multibase.map(ResourceDigest.init(multibase:))
        let digests = read.compactMap { $0 }
        guard digests.count == read.count, !digests.isEmpty else {
            throw LinkedDataError(.invalidCredential, "a digest of \(id) is malformed", path: ["relatedResource"])
        }
        return digests
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool {
        // Tab, line feed, form feed, carriage return and space.
        [0x09, 0x0a, 0x0c, 0x0d, 0x20].contains(byte)
    }

    /// Compares the digests with the known ones of the resource.
    ///
    /// Every stated digest must match; alternatives of one function, as browsers take them, are refused.
    ///
    /// - Throws: A failed check for a malformed or different digest, and if no digest can be compared.
    func requireMatch(with resource: ResourceDigests) throws(CheckFault) {
        let digests = try CheckFault.converting { () throws(LinkedDataError) in try self.digests() }
        let results = digests.compactMap(resource.matches)
        guard results.allSatisfy({ $0 }) else {
            throw .failed(.digestMismatch, "\(id) has another digest", path: ["relatedResource"])
        }
        guard !results.isEmpty else {
            throw .failed(.incomparableDigest, "no digest of \(id) can be compared", path: ["relatedResource"])
        }
    }
}
