import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import Testing

/// An example of signing: verified in every serialization that it has, and signed again.
struct CookbookSigning {
    private let example: JSONValue
    private let keys: [JWK]
    private let payload: [UInt8]

    init(_ example: JSONValue) throws {
        self.example = example
        let input = try #require(example["input"])
        payload = Array(try #require(input.text("payload")).utf8)
        let given = input["key"]?.arrayValue ?? [input["key"] ?? .null]
        keys = try given.map { try JWK(json: $0) }
    }

    func run() async throws -> Int {
        var ran = 0
        for (_, value) in try #require(example["output"]?.objectValue) {
            let message = try read(value)
            ran += 1
            guard let message else { continue }
            try verify(message)
            try await signAgain(message)
        }
        return ran
    }

    /// The message, or nil for one that must be refused and is.
    private func read(_ value: JSONValue) throws -> JWS? {
        let protected = value.text("protected") ?? value.list("signatures").first?.text("protected") ?? ""
        let header = try? JSONValue(parsing: Base64URL.decode(protected))
        // RFC 7797, section 6, demands what a draft that one file is from did not.
        if header?["b64"] == false, header?["crit"] == nil {
            expectRefusal(.invalidCritical) { try JWS(json: value.encoded()) }
            return nil
        }
        if let text = value.stringValue { return try JWS(compact: text) }
        return try JWS(json: value.encoded())
    }

    private func verify(_ message: JWS) throws {
        #expect(message.signatures.count == keys.count)
        for (index, key) in keys.enumerated() {
            let verified = try message.verify(
                signatureAt: index,
                with: .jwk(key.publicJWK ?? key),
                policy: .everything,
                at: .distantPast,
                detachedPayload: message.isDetached ? payload : nil
            )
            #expect(verified.payload == payload)
        }
    }

    /// Signs with the headers of the example; where the algorithm is deterministic, the signature is the same.
    private func signAgain(_ message: JWS) async throws {
        for (signature, key) in zip(message.signatures, keys) {
            let name = try #require(try signature.header.signatureAlgorithm())
            let made = try await sign(signature, with: key, name)
            let again = try #require(made.signatures.first)
            #expect(again.protectedHeader.description == signature.protectedHeader.description)
            if Self.deterministic.contains(name) { #expect(again.signature == signature.signature) }
        }
    }

    private static let deterministic: Set<JWSAlgorithm> = [.hs256, .rs256, .edDSA]

    private func sign(_ signature: JWSSignature, with key: JWK, _ algorithm: JWSAlgorithm) async throws -> JWS {
        let (header, unprotected) = (signature.protectedHeader, signature.unprotectedHeader)
        guard key.keyType == .oct else {
            let signer = try key.signer(algorithm: algorithm)
            return try await JWS.sign(payload, header: header, unprotectedHeader: unprotected, with: signer)
        }
        let secret = try key.symmetricKey()
        return try JWS.authenticate(payload, header: header, unprotectedHeader: unprotected, hmacKey: secret)
    }
}
