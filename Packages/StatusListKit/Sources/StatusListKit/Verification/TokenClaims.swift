import CBORKit
import COSEKit
import JOSEKit
import JSONKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The claims of a token whose signature was verified, whatever its form.
struct TokenClaims {
    var subject: String?
    var audience: [String]?
    var issuedAt: Date?
    var notBefore: Date?
    var expirationTime: Date?
    var timeToLive: TimeInterval?
    var statusList: StatusListClaimSource?

    /// The list as it stands in the claims, not decompressed yet.
    enum StatusListClaimSource {
        case json(JSONValue)
        case cbor(CBORView)

        func claim(_ limits: StatusListLimits) throws(StatusListError) -> StatusListClaim {
            do {
                switch self {
                case .json(let value): return try StatusListClaim(json: value, limits: limits)
                case .cbor(let view): return try StatusListClaim(cbor: view, limits: limits)
                }
            } catch {
                throw error.inside("token")
            }
        }
    }

    init(_ claims: JWTClaims) throws(StatusListError) {
        do {
            subject = try claims.subject()
            audience = try claims.audience()
            issuedAt = try claims.issuedAt()
            notBefore = try claims.notBefore()
            expirationTime = try claims.expirationTime()
        } catch {
            throw StatusListError(error)
        }
        timeToLive = try claims["ttl"].map { value throws(StatusListError) in
            try Self.seconds(value.numberValue.flatMap { try? $0.nearestDouble() })
        }
        statusList = claims["status_list"].map { .json($0) }
    }

    init(_ claims: CWTClaims) throws(StatusListError) {
        let timeToLive: CBORView?
        do {
            subject = try claims.subject()
            audience = try claims.audience()
            issuedAt = try claims.issuedAt()
            notBefore = try claims.notBefore()
            expirationTime = try claims.expirationTime()
            statusList = try claims.view(.claimStatusList).map { .cbor($0) }
            timeToLive = try claims.view(.claimTimeToLive)
        } catch {
            throw StatusListError(error)
        }
        self.timeToLive = try timeToLive.map { view throws(StatusListError) in
            try Self.seconds((try? view.integer(as: UInt64.self)).map { Double($0) })
        }
    }

    private static func seconds(_ number: Double?) throws(StatusListError) -> TimeInterval {
        guard let number, number > 0 else {
            throw StatusListError(.invalidClaim, "a positive number is expected", path: ["token", "ttl"])
        }
        return number
    }
}
