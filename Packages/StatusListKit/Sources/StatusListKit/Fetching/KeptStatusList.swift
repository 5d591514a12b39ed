import CredentialTransport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A status list, identifier list or bitstring list that a client keeps, with its times.
public struct KeptStatusList: Hashable, Sendable {
    /// The URI that references name the list by.
    public let uri: String
    /// When the issuer made the list (`iat`, or `validFrom` of a credential).
    public let issuedAt: Date
    /// When the list was fetched, or loaded from a snapshot; that of ``StatusListClient/load(_:signedBy:at:)`` counts as fetched when
    /// it was issued.
    public let fetchedAt: Date
    /// From when on the client fetches the list again: by its `ttl` within the bounds of the client's options, or at its `exp`.
    public let nextUpdate: Date
    /// When the list expires (`exp`, or `validUntil` of a credential), or nil.
    public let expirationTime: Date?

    init(_ document: CachedDocument<some KeptList>) {
        uri = document.value.uri
        issuedAt = document.value.issuedAt
        fetchedAt = document.fetched
        expirationTime = document.value.expirationTime
        nextUpdate = expirationTime.map { min($0, document.freshUntil) } ?? document.freshUntil
    }

    /// The age of the issuer's statement in seconds.
    public func age(at time: Date) -> TimeInterval { time.timeIntervalSince(issuedAt) }

    /// Returns `true` from the next update on.
    public func isUpdateDue(at time: Date) -> Bool { time >= nextUpdate }
}
