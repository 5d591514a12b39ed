import CommandSupport
import CryptoCore
import JOSEKit
import JSONKit
import SDJWTKit

/// Outlines of JOSE objects, keys and SD-JWTs, of which nothing is verified.
enum JOSEOutline {
    /// Recognizes an input of the JOSE family, or other JSON; nil for anything else.
    ///
    /// - Throws: ``ToolError`` for an input that begins as only JSON does and is malformed.
    static func inspection(of bytes: [UInt8], _ attempts: inout Attempts) throws(ToolError) -> Inspection? {
        let text = TextClass.trimmed(bytes)
        guard let first = text.first else { return nil }
        switch first {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            do {
                return json(try JSONValue(parsing: text), text)
            } catch {
                throw ToolError("the input begins like JSON; \(error)")
            }
        // Other first characters of JSON may begin CBOR as well.
        case UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "t"),
            UInt8(ascii: "f"), UInt8(ascii: "n"):
            if let value = attempts.read("JSON", { try JSONValue(parsing: text) }) { return json(value, text) }
            return compact(text, &attempts)
        default: return compact(text, &attempts)
        }
    }

    /// A compact serialization, recognized by the number of its dots.
    private static func compact(_ text: ArraySlice<UInt8>, _ attempts: inout Attempts) -> Inspection? {
        let limit = SDJWTLimits.default.size
        guard text.count <= limit else { return nil }
        let jwt = text.prefix { $0 != UInt8(ascii: "~") }
        let bytes = Array(text)
        switch jwt.count(where: { $0 == UInt8(ascii: ".") }) {
        case 2 where jwt.count < text.count:
            return attempts.read("an SD-JWT") {
                Inspection(kind: "SD-JWT", content: outline(try SDJWT(compact: bytes)))
            }
        case 2: return attempts.read("a JWS") { inspection(of: try JWS(compact: bytes)) }
        case 4:
            return attempts.read("a JWE") { Inspection(kind: "JWE", content: outline(try JWE(compact: bytes))) }
        default: return nil
        }
    }

    /// A message of the IRMA protocol with proofs or signatures; nil for other JSON.
    private static func idemix(_ value: JSONValue, _ attempts: inout Attempts) -> Inspection? {
        guard ["signature", "proofs", "combinedProofs"].contains(where: { value[$0] != nil }) else { return nil }
        return attempts.read("a message of the IRMA protocol") { try IdemixInspection.message(value) } ?? nil
    }

    /// JSON, recognized by the members of its object.
    private static func json(_ value: JSONValue, _ text: ArraySlice<UInt8>) -> Inspection {
        var attempts = Attempts()
        var inspection: Inspection?
        if value["keys"]?.arrayValue != nil {
            inspection = attempts.read("a JWK Set") {
                Inspection(kind: "JWK Set", content: outline(try JWKSet(json: value)))
            }
        } else if value["kty"] != nil {
            inspection = attempts.read("a JWK") { Inspection(kind: "JWK", content: outline(try JWK(json: value))) }
        } else if value["ciphertext"] != nil {
            inspection = attempts.read("a JWE") {
                Inspection(kind: "JWE, JSON serialization", content: outline(try JWE(json: text)))
            }
        } else if value["payload"] != nil || value["signatures"] != nil {
            inspection = attempts.read("a JWS") {
                isSDJWT(value)
                    ? Inspection(kind: "SD-JWT, JSON serialization", content: outline(try SDJWT(json: text)))
                    : Self.inspection(of: try JWS(json: text))
            }
        }
        return inspection ?? idemix(value, &attempts) ?? LinkedDataOutline.inspection(of: value)
            ?? Inspection(
                kind: "JSON",
                content: .block(value.text(.pretty(indentation: 2).escapingInvisible)),
                remarks: attempts.failures
            )
    }

    /// Returns `true` for a header with a parameter that only SD-JWTs have (RFC 9901, section 8.1).
    private static func isSDJWT(_ value: JSONValue) -> Bool {
        let headers = [value["header"]] + (value["signatures"]?.arrayValue ?? []).map { $0["header"] }
        return headers.contains { $0?["disclosures"] != nil || $0?["kb_jwt"] != nil }
    }

    private static func inspection(of jws: JWS) -> Inspection {
        var attempts = Attempts()
        let type = attempts.read("typed") { try jws.unverifiedHeader().type() }.flatMap(\.self)
        let payload = jws.unverifiedPayload
        let claims = payload.flatMap { payload in attempts.read("a JWT") { try JWTClaims(decoding: payload) } }
        if type == StatusListOutline.jwtType, let claims { return statusList(claims, jws) }
        return Inspection(
            kind: claims == nil ? "JWS" : "JWT\(type.map { " of the type \($0)" } ?? "")",
            content: .fields([
                "signatures": .list(jws.signatures.map(outline)),
                "claims": claims.map { .json(.object($0.members)) },
                "payload": claims == nil ? .text(payload?.shortText ?? "detached") : nil,
            ]),
            remarks: attempts.failures
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
        Outline.readable {
            try header.certificateChain().map { chain in
                .list(chain.map { der in Outline.readable { try Certificate(der: der).summary } ?? "none" })
            }
        }
    }

    /// The headers of an encrypted object, and the recipients' own headers, if any.
    private static func outline(_ jwe: JWE) -> Outline {
        let own = jwe.recipients.map(\.unprotectedHeader)
        return .fields([
            "protected": .json(.object(jwe.protectedHeader.members)),
            "unprotected": jwe.sharedHeader.isEmpty ? nil : .json(.object(jwe.sharedHeader.members)),
            "recipients": own.allSatisfy(\.isEmpty) ? nil : .list(own.map { .json(.object($0.members)) }),
        ])
    }

    /// The keys of a set, and the reasons that others of its members are not keys.
    private static func outline(_ set: JWKSet) -> Outline {
        .list(set.keys.map(outline) + set.ignored.map { .text("key \($0.index) is not readable: \($0.reason)") })
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
            "claims": Outline.readable { .json(.object(try sdJWT.unverifiedPayload().claims)) },
            "disclosures": .list(sdJWT.disclosures.map { outline($0, of: sdJWT) }),
            "key binding": sdJWT.keyBindingJWT.map { inspection(of: $0).content } ?? "none",
        ])
    }

    private static func outline(_ disclosure: SDJWTDisclosure, of sdJWT: SDJWT) -> Outline {
        .fields([
            "claim": disclosure.claimName.map { .verbatim($0) } ?? "array element",
            "value": .json(disclosure.value),
            "digest": Outline.readable { .text(try disclosure.digest(sdJWT.unverifiedHashAlgorithm())) },
        ])
    }
}
