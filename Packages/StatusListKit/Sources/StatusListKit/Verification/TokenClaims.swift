import CBORKit
import COSEKit
import JOSEKit
import JSONKit
import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The claims that every list token has, of a token whose signature was verified.
struct TokenClaims {
    let registered: RegisteredClaimValues
    let issuedAt: Date
    let timeToLive: TimeInterval?

    init(_ claims: JWTClaims) throws(CheckFault) {
        registered = try RegisteredClaimValues(RegisteredJWTClaims(claims))
        issuedAt = try Self.required(registered.issuedAt(), "iat")
        timeToLive = try claims["ttl"].map { value throws(CheckFault) in try Self.seconds(value) }
    }

    init(_ claims: CWTClaims) throws(CheckFault) {
        registered = try RegisteredClaimValues(RegisteredCWTClaims(claims))
        issuedAt = try Self.required(registered.issuedAt(), "iat")
        let timeToLive = try CheckFault.converting { () throws(COSEError) in try claims.view(.claimTimeToLive) }
        self.timeToLive = try timeToLive.map { view throws(CheckFault) in try Self.seconds(view) }
    }

    /// A claim that the token must have.
    static func required<Value>(_ value: Value?, _ name: String) throws(CheckFault) -> Value {
        guard let value else { throw .missingClaim(name) }
        return value
    }

    private static func seconds(_ value: JSONValue) throws(CheckFault) -> TimeInterval {
        guard let number = value.numberValue else { throw noPositiveNumber }
        let seconds: Double
        do throws(JSONError) {
            seconds = try number.nearestDouble()
        } catch {
            throw noPositiveNumber
        }
        guard seconds > 0 else { throw noPositiveNumber }
        return seconds
    }

    private static func seconds(_ view: CBORView) throws(CheckFault) -> TimeInterval {
        let seconds: UInt64
        do throws(CBORError) {
            seconds = try view.integer(as: UInt64.self)
        } catch {
            throw noPositiveNumber
        }
        guard seconds > 0 else { throw noPositiveNumber }
        return Double(seconds)
    }

    private static var noPositiveNumber: CheckFault {
        .failed(.invalidClaim, "a positive number is expected", path: ["ttl"])
    }
}

/// The claims of a status list token whose signature was verified, whatever its form.
struct StatusListTokenClaims {
    let token: TokenClaims
    private let statusList: Source

    /// The list in the claims, not decompressed yet.
    private enum Source {
        case json(JSONValue)
        case cbor(CBORView)
    }

    init(_ claims: JWTClaims) throws(CheckFault) {
        token = try TokenClaims(claims)
        statusList = .json(try TokenClaims.required(claims["status_list"], "status_list"))
    }

    init(_ claims: CWTClaims) throws(CheckFault) {
        token = try TokenClaims(claims)
        let list = try CheckFault.converting { () throws(COSEError) in try claims.view(.claimStatusList) }
        statusList = .cbor(try TokenClaims.required(list, "status_list"))
    }

    /// The list, decompressed.
    func list(_ limits: StatusListLimits) throws(CheckFault) -> StatusListClaim {
        try CheckFault.converting { () throws(StatusListError) in
            switch statusList {
            case .json(let value): try StatusListClaim(json: value, limits: limits)
            case .cbor(let view): try StatusListClaim(cbor: view, limits: limits)
            }
        }
    }
}
