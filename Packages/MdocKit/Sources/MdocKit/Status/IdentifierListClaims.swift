import CBORKit
import COSEKit
import StatusListKit
import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The claims of an identifier list token whose signature was verified.
struct IdentifierListClaims {
    let registered: RegisteredClaimValues
    let issuedAt: Date
    let timeToLive: TimeInterval?
    private let list: CBORView

    /// The content of the claim `identifier_list`.
    struct Content {
        let identifiers: Set<ArraySlice<UInt8>>
        let aggregationURI: String?
    }

    init(_ payload: ArraySlice<UInt8>, _ limits: StatusListLimits) throws(CheckFault) {
        let claims = try CheckFault.converting { () throws(COSEError) in
            try CWTClaims(decoding: payload, options: limits.identifierListCBOR)
        }
        registered = try RegisteredClaimValues(RegisteredCWTClaims(claims))
        guard let issuedAt = registered.issuedAt() else { throw .missingClaim("iat") }
        self.issuedAt = issuedAt
        let (list, timeToLive) = try CheckFault.converting { () throws(COSEError) in
            (try claims.view(.claimIdentifierList), try claims.view(.claimTimeToLive))
        }
        guard let list else { throw .missingClaim("identifier_list") }
        self.list = list
        self.timeToLive = try timeToLive.map { view throws(CheckFault) in try Self.seconds(view) }
    }

    private static func seconds(_ view: CBORView) throws(CheckFault) -> TimeInterval {
        let fault = CheckFault.failed(.invalidClaim, "a positive number is expected", path: ["ttl"])
        do throws(CBORError) {
            let seconds = try view.integer(as: UInt64.self)
            if seconds > 0 { return TimeInterval(seconds) }
        } catch {
            throw fault
        }
        throw fault
    }

    /// `{ "identifiers": { * bstr => {} }, ? "aggregation_uri": tstr }`; the values beside identifiers are not read.
    func content() throws(CheckFault) -> Content {
        do throws(CBORError) {
            let members = try list.map()
            var identifiers: Set<ArraySlice<UInt8>> = []
            for (key, _) in try members.required("identifiers").map() { identifiers.insert(try key.bytes()) }
            return Content(
                identifiers: identifiers,
                aggregationURI: try members.value(forKey: "aggregation_uri")?.text()
            )
        } catch {
            throw .failed(.malformed, "\(error)", path: ["identifier_list"])
        }
    }
}
