#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The content of a status list token (Token Status List, section 5).
///
/// ```swift
/// let content = try StatusListContent(uri: "https://issuer.example/lists/1", list: list, issuedAt: now, timeToLive: 3600)
/// let token = try await content.signedJWT(with: signer)
/// ```
public struct StatusListContent: Sendable {
    /// The name of the list (`sub`): the `uri` of the references to it.
    public let uri: String
    /// The list.
    public let statusList: StatusListClaim
    /// When the token is issued (`iat`); whole seconds are written.
    public let issuedAt: Date
    /// When the token expires (`exp`), or nil; whole seconds are written.
    public let expirationTime: Date?
    /// For how many seconds receivers may keep the token before they fetch a fresh one (`ttl`), or nil.
    public let timeToLive: Int?

    /// A content of its parts.
    ///
    /// - Throws: ``StatusListError/Code/invalidClaim`` for an empty URI, a token that expires before it is issued, times beyond
    ///   the year 9999, and a time to live that is not positive.
    public init(
        uri: String,
        list: StatusList,
        aggregationURI: String? = nil,
        issuedAt: Date,
        expirationTime: Date? = nil,
        timeToLive: Int? = nil
    ) throws(StatusListError) {
        try TokenTerms.require(uri: uri, issuedAt: issuedAt, expirationTime: expirationTime, timeToLive: timeToLive)
        self.uri = uri
        statusList = StatusListClaim(list, aggregationURI: aggregationURI)
        self.issuedAt = issuedAt
        self.expirationTime = expirationTime
        self.timeToLive = timeToLive
    }
}

/// The claims that every list token has, when it is made.
enum TokenTerms {
    /// Refuses claims that no token may have.
    ///
    /// - Throws: ``StatusListError/Code/invalidClaim`` for an empty URI, a token that expires before it is issued, times beyond
    ///   the year 9999, and a time to live that is not positive.
    static func require(
        uri: String,
        issuedAt: Date,
        expirationTime: Date?,
        timeToLive: Int?
    ) throws(StatusListError) {
        try require(!uri.isEmpty, "an empty URI names no list", "sub")
        try require(isWritable(issuedAt), "the time cannot be written", "iat")
        try require(expirationTime.map { $0 > issuedAt && isWritable($0) } ?? true, "the token never lives", "exp")
        try require(timeToLive.map { $0 > 0 } ?? true, "a positive number is expected", "ttl")
    }

    private static func isWritable(_ date: Date) -> Bool {
        (0..<253_402_300_800).contains(date.timeIntervalSince1970)
    }

    private static func require(_ holds: Bool, _ message: String, _ claim: String) throws(StatusListError) {
        guard holds else { throw StatusListError(.invalidClaim, message, path: ["token", claim]) }
    }
}
