import CommandSupport
import Foundation
import JOSEKit
import JSONKit
import SDJWTKit

extension InputFile {
    /// The text without white space around it, such as a compact token.
    func text() throws(ToolError) -> String {
        String(decoding: try read(), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// A compact JWT.
    func jwt() throws(ToolError) -> JWT {
        let text = try text()
        return try reading("JWT") { try JWT(compact: text) }
    }

    /// An SD-JWT, compact or in JSON.
    func sdJWT() throws(ToolError) -> SDJWT {
        let text = try text()
        return try reading("SD-JWT") { text.hasPrefix("{") ? try SDJWT(json: text) : try SDJWT(compact: text) }
    }

    /// The keys of a JWK Set, or the one of a JWK or PEM file, to verify with; the public part of a private key does too.
    func verificationKey() throws(ToolError) -> JWSKey {
        let text = try text()
        let isSet = text.hasPrefix("{") ? try reading("JSON") { try JSONValue(parsing: text)["keys"] != nil } : false
        if isSet { return .jwkSet(try reading("JWK Set") { try JWKSet(decoding: text) }) }
        let key = try jwk(text)
        return .jwk(key.publicJWK ?? key)
    }

    /// A key in JWK or PEM.
    func jwk() throws(ToolError) -> JWK {
        try jwk(try text())
    }

    private func jwk(_ text: String) throws(ToolError) -> JWK {
        try requireKeyText(text)
        return try reading("key") { text.hasPrefix("{") ? try JWK(decoding: text) : try JWK(pem: text) }
    }

    /// A JSON object, such as claims.
    func jsonObject() throws(ToolError) -> JSONObject {
        let bytes = try read()
        guard case .object(let object) = try reading("JSON", { try JSONValue(parsing: bytes) }) else {
            throw ToolError("\(name) holds no JSON object")
        }
        return object
    }
}
