/// The reference to a credential's status: an index in the list of a token (Token Status List, section 6).
///
/// It is in the claim `status` of the credential:
///
/// ```swift
/// let reference = try StatusReference(status: claims["status"] ?? .null)
/// ```
public struct StatusReference: Sendable {
    /// The place in the list, counted from 0 (`idx`).
    public let index: Int
    /// The name and address of the token (`uri`), as received.
    public let uri: String
    /// The certificate that vouches for the token's signer, in DER (`certificate`, ISO/IEC 18013-5 second edition), or nil.
    public let certificate: [UInt8]?

    /// A reference of its parts.
    ///
    /// - Throws: ``StatusListError/Code/invalidReference`` for a negative index and an empty URI.
    public init(index: Int, uri: String, certificate: [UInt8]? = nil) throws(StatusListError) {
        guard index >= 0 else { throw Self.invalid("is negative", at: "idx") }
        guard !uri.isEmpty else { throw Self.invalid("is empty", at: "uri") }
        self.index = index
        self.uri = uri
        self.certificate = certificate
    }

    static func invalid(_ reason: String, at member: String?, cause: (any Error)? = nil) -> StatusListError {
        let path = ["status", "status_list"] + (member.map { [$0] } ?? [])
        return StatusListError(.invalidReference, reason, path: path, cause: cause)
    }
}

extension StatusReference: Hashable {
    /// Returns `true` if both are the same place in the list of the same URI, byte for byte.
    public static func == (left: StatusReference, right: StatusReference) -> Bool {
        left.index == right.index && left.uri.hasSameBytes(as: right.uri) && left.certificate == right.certificate
    }

    /// Feeds the index and the bytes of the URI.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(index)
        hasher.combine(ExactText(uri))
        hasher.combine(certificate)
    }
}
