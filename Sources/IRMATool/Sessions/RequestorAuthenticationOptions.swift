import ArgumentParser
import CommandSupport
import CryptoCore
import Foundation
import IRMAMessages
import JOSEKit
import JSONKit

/// The flags by which a requestor authenticates itself at a server.
struct RequestorAuthenticationOptions: ParsableArguments {
    /// The ways of authentication.
    enum Method: String, ExpressibleByArgument, CaseIterable {
        case none
        case token
        case rsa
        case hmac
    }

    @Option(
        name: [.customShort("a"), .customLong("auth-method"), .customLong("authmethod")],
        help: "The way of authentication: none, token, rsa or hmac."
    )
    var method = Method.none

    // A PEM text begins with dashes, and a token may.
    @Option(
        name: .long,
        parsing: .unconditional,
        help: ArgumentHelp(
            "The token or the key, or the name of its file.",
            discussion:
                "An HMAC key is in base64, an RSA key in PEM. A file keeps the key out of the list of processes."
        )
    )
    var key: String?

    @Option(name: .long, help: "The requestor's name at the server, for rsa and hmac.")
    var name: String?

    @Flag(name: .long, help: "Sign with an HMAC key of fewer than 32 bytes.")
    var allowShortKey = false

    func validate() throws {
        guard (key == nil) == (method == .none) else {
            throw ValidationError("--key and an --auth-method other than none go together.")
        }
        guard name != nil || method == .none || method == .token else {
            throw ValidationError("--auth-method \(method.rawValue) needs --name.")
        }
    }

    /// The content of the key, from its file where there is one.
    func keyText() throws(ToolError) -> String {
        let key = key ?? ""
        guard FileManager.default.fileExists(atPath: key) else { return key }
        let bytes = try InputFile(argument: key).read(sizeLimit: 1 << 20)
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    /// The message as a signed token.
    ///
    /// - Parameters:
    ///   - content: The request or the revocation.
    ///   - time: The time of signing.
    /// - Throws: ``ToolError``.
    func signed(_ content: RequestorTokenClaims.Content, at time: Date) async throws(ToolError) -> String {
        let claims = RequestorTokenClaims(
            issuer: name,
            issuedAt: Int64(time.timeIntervalSince1970.rounded(.down)),
            content: content
        )
        let key = try keyText()
        do {
            let json = try claims.json()
            guard method == .hmac else {
                let signer = try SoftwareSigner(try PrivateKey(pem: key), algorithm: .rsaPKCS1SHA256)
                return try await JWT.sign(JWTClaims(json.objectValue ?? JSONObject()), with: signer)
                    .compactSerialization()
            }
            guard let bytes = Base64Key.decoded(key) else { throw ToolError("--key: an HMAC key is written in base64") }
            return try JWS.authenticate(
                json.encoded(),
                header: ["alg": "HS256", "typ": "JWT"],
                hmacKey: bytes,
                allowsShortKey: allowShortKey
            ).compactSerialization()
        } catch let error as ToolError {
            throw error
        } catch {
            throw ToolError("the request cannot be signed: \(error)")
        }
    }
}
