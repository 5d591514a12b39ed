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

    /// The list in the claims, not decompressed yet.
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
        timeToLive = try claims["ttl"].map { value throws(StatusListError) in try Self.seconds(value) }
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
        self.timeToLive = try timeToLive.map { view throws(StatusListError) in try Self.seconds(view) }
    }

    private static func seconds(_ value: JSONValue) throws(StatusListError) -> TimeInterval {
        guard let number = value.numberValue else { throw noPositiveNumber(cause: nil) }
        let seconds: Double
        do {
            seconds = try number.nearestDouble()
        } catch {
            throw noPositiveNumber(cause: error)
        }
        guard seconds > 0 else { throw noPositiveNumber(cause: nil) }
        return seconds
    }

    private static func seconds(_ view: CBORView) throws(StatusListError) -> TimeInterval {
        let seconds: UInt64
        do {
            seconds = try view.integer(as: UInt64.self)
        } catch {
            throw noPositiveNumber(cause: error)
        }
        guard seconds > 0 else { throw noPositiveNumber(cause: nil) }
        return Double(seconds)
    }

    private static func noPositiveNumber(cause: (any Error)?) -> StatusListError {
        StatusListError(.invalidClaim, "a positive number is expected", path: ["token", "ttl"], cause: cause)
    }
}
