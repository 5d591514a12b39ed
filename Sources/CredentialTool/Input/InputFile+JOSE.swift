import CryptoCore
import Foundation
import JOSEKit
import JSONKit

extension InputFile {
    /// The text without white space around it, such as a compact token.
    func text() throws(ToolError) -> String {
        String(decoding: try read(), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The keys of a JWK Set, or the one of a JWK or PEM file, to verify with; the public part of a private key does too.
    func verificationKey() throws -> JWSKey {
        let text = try text()
        if let set = try? JWKSet(decoding: text) { return .jwkSet(set) }
        let key = try jwk(text)
        return .jwk(key.publicJWK ?? key)
    }

    /// A key in JWK or PEM.
    func jwk() throws -> JWK {
        try jwk(try text())
    }

    private func jwk(_ text: String) throws -> JWK {
        do {
            return text.hasPrefix("{") ? try JWK(decoding: text) : try JWK(pem: text)
        } catch {
            throw ToolError("\(path) holds no key: \(error)")
        }
    }

    /// A JSON object, such as claims.
    func jsonObject() throws -> JSONObject {
        guard case .object(let object) = try JSONValue(parsing: try read()) else {
            throw ToolError("\(path) holds no JSON object")
        }
        return object
    }
}
