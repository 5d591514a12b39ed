import CBORKit
public import COSEKit
import VerificationCore

extension COSELabel {
    /// The list in an identifier list token (`identifier_list`, ISO/IEC 18013-5 second edition, 12.3.6).
    public static let claimIdentifierList: COSELabel = 65530
}

/// The claims of an identifier list token whose signature was verified.
struct IdentifierListClaims {
    let token: TokenClaims
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
        token = try TokenClaims(claims)
        let list = try CheckFault.converting { () throws(COSEError) in try claims.view(.claimIdentifierList) }
        self.list = try TokenClaims.required(list, "identifier_list")
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
