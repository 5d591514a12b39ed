import CBORKit
public import COSEKit
public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The content of an identifier list token (ISO/IEC 18013-5 second edition, 12.3.6).
///
/// ```swift
/// let content = try IdentifierListContent(uri: uri, identifiers: revoked, issuedAt: now, expirationTime: tomorrow)
/// let token = try await content.signedCWT(x5chain: [listSigner], with: signer)
/// ```
public struct IdentifierListContent: Sendable {
    /// The name of the list (`sub`): the `uri` of the references to it.
    public let uri: String
    /// The identifiers of the credentials that are revoked.
    public let identifiers: Set<[UInt8]>
    /// The address at which the same issuer enumerates its lists, or nil.
    public let aggregationURI: String?
    /// When the token is issued (`iat`); whole seconds are written.
    public let issuedAt: Date
    /// When the token expires (`exp`), which the standard demands; whole seconds are written.
    public let expirationTime: Date
    /// For how many seconds receivers may keep the token before they fetch a fresh one (`ttl`), or nil.
    public let timeToLive: Int?

    /// A content of its parts.
    ///
    /// - Throws: ``StatusListError/Code/invalidClaim`` for an empty URI, a token that expires before it is issued, times
    ///   beyond the year 9999, and a time to live that is not positive.
    public init(
        uri: String,
        identifiers: Set<[UInt8]>,
        aggregationURI: String? = nil,
        issuedAt: Date,
        expirationTime: Date,
        timeToLive: Int? = nil
    ) throws(StatusListError) {
        try TokenTerms.require(uri: uri, issuedAt: issuedAt, expirationTime: expirationTime, timeToLive: timeToLive)
        self.uri = uri
        self.identifiers = identifiers
        self.aggregationURI = aggregationURI
        self.issuedAt = issuedAt
        self.expirationTime = expirationTime
        self.timeToLive = timeToLive
    }

    /// The claims of the token.
    public func cwtClaims() -> CWTClaims {
        let listed = CBORMap(
            identifiers.sorted { $0.lexicographicallyPrecedes($1) }.map { CBORMap.Pair(key: .bytes($0), value: [:]) }
        )
        var list: CBORMap = ["identifiers": .map(listed)]
        if let aggregationURI { list["aggregation_uri"] = .text(aggregationURI) }
        var claims = CWTClaims()
        claims[.claimSubject] = .text(uri)
        claims[.claimIssuedAt] = .integer(Int64(issuedAt.timeIntervalSince1970))
        claims[.claimExpirationTime] = .integer(Int64(expirationTime.timeIntervalSince1970))
        claims[.claimTimeToLive] = timeToLive.map { .integer($0) }
        claims[.claimIdentifierList] = .map(list)
        return claims
    }

    /// Signs a token, with the signer's certificates in the protected header as the standard demands for lists.
    ///
    /// - Parameters:
    ///   - x5chain: The certificates of the signer, leaf first, without the authority's.
    ///   - signer: The key, wherever it lives.
    /// - Throws: ``StatusListError/Code/signingFailed``, and the errors of the headers.
    public func signedCWT(
        x5chain: [Certificate],
        with signer: any Signer
    ) async throws(StatusListError) -> IdentifierListToken {
        let headers = Self.headers([.x5chain: COSEHeaderMap.certificates(x5chain.map(\.derBytes))])
        do {
            return IdentifierListToken(
                try await COSESign1.sign(cwtClaims().encoded(), headers: headers, with: signer)
            )
        } catch {
            throw StatusListError(error)
        }
    }

    /// A token without its signature, for a signature that is made elsewhere.
    ///
    /// ``IdentifierListToken/init(_:)`` makes a token of the completed message.
    /// - Parameters:
    ///   - x5chain: The certificates of the signer, leaf first, without the authority's.
    ///   - algorithm: The algorithm of the later signature.
    /// - Throws: The error for invalid headers.
    public func unsignedCWT(
        x5chain: [Certificate],
        algorithm: COSEAlgorithm
    ) throws(StatusListError) -> COSESign1.Unsigned {
        let headers = Self.headers([
            .alg: .integer(algorithm.rawValue), .x5chain: COSEHeaderMap.certificates(x5chain.map(\.derBytes)),
        ])
        do {
            return try COSESign1.Unsigned(payload: cwtClaims().encoded(), headers: headers)
        } catch {
            throw StatusListError(error)
        }
    }

    private static func headers(_ protected: COSEHeaderMap) -> COSEHeaders {
        var protected = protected
        protected[.type] = .text(IdentifierListToken.mediaType)
        return COSEHeaders(protected: protected)
    }
}
