public import CryptoCore

/// A backend that may start transactions over HTTP.
public struct TransactionRequestor: Sendable {
    /// The name, which logs show.
    public let name: String
    /// The token that it shows as `Authorization: Bearer …`.
    let token: SecretBytes
    /// The names of the relying parties that it acts for.
    public let relyingParties: [String]

    /// The smallest size of a token in bytes.
    public static let minimumTokenSize = 16

    /// Describes a requestor.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - token: The token: at least ``minimumTokenSize`` bytes, as it stands in the header.
    ///   - relyingParties: The names of the relying parties that it acts for.
    public init(_ name: String, token: SecretBytes, relyingParties: [String]) {
        self.name = name
        self.token = token
        self.relyingParties = relyingParties
    }
}

/// Finds the requestor of a token.
struct RequestorRegistry: Sendable {
    let requestors: [TransactionRequestor]

    /// The token that a header shows, or nil.
    static func token(in authorization: String?) -> [UInt8]? {
        guard let authorization else { return nil }
        let parts = authorization.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return Array(parts[1].utf8)
    }

    /// The requestor of a token, or nil.
    ///
    /// Every token is compared, in a time that does not depend on its content.
    func requestor(showing given: [UInt8]) -> TransactionRequestor? {
        var found: TransactionRequestor?
        for requestor in requestors where constantTimeEqual(requestor.token, given) { found = requestor }
        return found
    }
}
