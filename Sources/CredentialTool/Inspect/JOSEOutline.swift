import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import SDJWTKit

/// Outlines of JOSE objects, keys and SD-JWTs, of which nothing is verified.
enum JOSEOutline {
    /// What an input is in the JOSE family, or nil.
    static func inspection(of bytes: [UInt8]) -> Inspection? {
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return text.first == "{" ? json(bytes) : compact(text)
    }

    private static func compact(_ text: String) -> Inspection? {
        if text.contains("~"), let sdJWT = try? SDJWT(compact: text) {
            return Inspection(kind: "SD-JWT", content: outline(sdJWT))
        }
        if let jws = try? JWS(compact: text) { return inspection(of: jws) }
        guard let header = encryptionHeader(text) else { return nil }
        return Inspection(kind: "JWE", content: .fields(["protected": .json(.object(header.members))]))
    }

    private static func json(_ bytes: [UInt8]) -> Inspection? {
        if let set = try? JWKSet(decoding: bytes) {
            return Inspection(kind: "JWK Set", content: .list(set.keys.map(outline)))
        }
        if let key = try? JWK(decoding: bytes) { return Inspection(kind: "JWK", content: outline(key)) }
        if let sdJWT = try? SDJWT(json: bytes), !sdJWT.disclosures.isEmpty || sdJWT.keyBindingJWT != nil {
            return Inspection(kind: "SD-JWT, JSON serialization", content: outline(sdJWT))
        }
        return (try? JWS(json: bytes)).map(inspection)
    }

    private static func inspection(of jws: JWS) -> Inspection {
        let type = (try? jws.unverifiedHeader().type()).flatMap(\.self)
        let claims = jws.unverifiedPayload.flatMap { try? JWTClaims(decoding: $0) }
        if type == StatusListOutline.jwtType, let claims { return statusList(claims, jws) }
        return Inspection(
            kind: claims == nil ? "JWS" : "JWT\(type.map { " of the type \($0)" } ?? "")",
            content: .fields([
                "signatures": .list(jws.signatures.map(outline)),
                "claims": claims.map { .json(.object($0.members)) },
                "payload": claims == nil ? .text(jws.unverifiedPayload?.shortText ?? "detached") : nil,
            ])
        )
    }

    private static func statusList(_ claims: JWTClaims, _ jws: JWS) -> Inspection {
        var others = claims
        others["status_list"] = nil
        return Inspection(
            kind: "Status List Token, JWT",
            content: .fields([
                "signatures": .list(jws.signatures.map(outline)),
                "claims": .json(.object(others.members)),
                "status list": StatusListOutline.outline(json: claims["status_list"]),
            ])
        )
    }

    private static func outline(_ signature: JWSSignature) -> Outline {
        .fields([
            "protected": .json(.object(signature.protectedHeader.members)),
            "header": signature.unprotectedHeader.isEmpty
                ? nil : .json(.object(signature.unprotectedHeader.members)),
            "certificates": certificates(of: signature.header),
        ])
    }

    private static func certificates(of header: JOSEHeader) -> Outline? {
        guard let chain = try? header.certificateChain() else { return nil }
        return .list(chain.map { (try? Certificate(der: $0))?.summary ?? .text($0.shortText) })
    }

    /// The key's public members; a private part is only said to be there.
    private static func outline(_ key: JWK) -> Outline {
        .fields([
            "key": .text("\(key)"),
            "private": .flag(key.isSecret),
            "members": .json(.object(key.members)),
            "thumbprint": .text(key.thumbprintURI()),
        ])
    }

    private static func outline(_ sdJWT: SDJWT) -> Outline {
        .fields([
            "signatures": .list(sdJWT.issuerSignedJWT.signatures.map(outline)),
            "claims": (try? sdJWT.unverifiedPayload()).map { .json(.object($0.claims)) }
                ?? "the disclosures do not fit the digests",
            "disclosures": .list(sdJWT.disclosures.map(outline)),
            "key binding": sdJWT.keyBindingJWT.map { inspection(of: $0).content } ?? "none",
        ])
    }

    private static func outline(_ disclosure: Disclosure) -> Outline {
        .fields([
            "claim": .text(disclosure.claimName ?? "array element"),
            "value": .json(disclosure.value),
            "digest": (try? disclosure.digest()).map { .text($0) },
        ])
    }

    /// The protected header of a compact JWE: five parts, of which the first is a header that names `enc`.
    private static func encryptionHeader(_ text: String) -> JOSEHeader? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 5, let bytes = try? Base64URL.decode(String(parts[0])),
            case .object(let members)? = try? JSONValue(parsing: bytes), members.contains("enc")
        else { return nil }
        return JOSEHeader(members)
    }
}
