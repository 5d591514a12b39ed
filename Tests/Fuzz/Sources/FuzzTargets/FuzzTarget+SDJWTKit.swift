import JSONKit
import SDJWTKit

extension FuzzTarget {
    /// The parsers of SDJWTKit.
    package static let sdJWT = [
        FuzzTarget(name: "sd-jwt") { bytes in
            let sdJWT = try SDJWT(compact: bytes)
            require(try Array(sdJWT.compactSerialization().utf8) == bytes, "what was received is written as it was")
            let json = try SDJWT(json: sdJWT.flattenedSerialization())
            require(json.disclosures == sdJWT.disclosures, "the JSON serialization carries the same")
            try process(sdJWT)
        },
        FuzzTarget(name: "sd-jwt-json") { bytes in
            let sdJWT = try SDJWT(json: bytes)
            let again = try SDJWT(json: sdJWT.generalSerialization())
            require(again.disclosures == sdJWT.disclosures, "what is written reads back")
            try process(sdJWT)
        },
        FuzzTarget(name: "sd-jwt-disclosure") { bytes in
            let text = JSONBase64.base64url.encode(bytes)
            let disclosure = try SDJWTDisclosure(encoded: text)
            require(disclosure.encoded == text, "what was received is written as it was")
            _ = try disclosure.digest(.sha512)
        },
        FuzzTarget(name: "claim-path") { bytes in
            let path = try ClaimPath(json: JSONValue(parsing: bytes))
            require(try ClaimPath(json: path.json) == path, "what is written reads back")
        },
        FuzzTarget(name: "sd-jwt-type-metadata") { bytes in
            _ = try TypeMetadataDocument(decoding: bytes)
        },
    ]

    /// Processes the payload, and selects every claim that was disclosed.
    private static func process(_ sdJWT: SDJWT) throws {
        let payload = try sdJWT.unverifiedPayload()
        for path in payload.disclosedClaims {
            require(try payload.values(at: path).count == 1, "a disclosed claim is there")
        }
        let all = try sdJWT.presentation { _ in true }
        require(try all.unverifiedPayload().claims == payload.claims, "all Disclosures give the whole payload")
        let none = try sdJWT.presentation { _ in false }
        require(try none.unverifiedPayload().disclosedClaims.isEmpty, "without Disclosures nothing is disclosed")
    }
}
